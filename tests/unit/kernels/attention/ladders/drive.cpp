#include "host.h"
#include SOURCE

struct Arguments {
    const f16 *q, *k, *v;
    const Sizes *sizes;
    f16 *out;
};
static Arguments given;

static void lane_main()
{
    attention(given.q, given.k, given.v, given.sizes, given.out);
    ++done;
    for (;;) next_wave();
}

// Returns how many barriers each wave passed in the last work-group, -1 when lanes disagree about them.
extern "C" int lds_bytes() { return sizeof(lds); }

extern "C" int run(Arguments *arguments, int tiles, int heads, int descending)
{
    given = *arguments;
    prompt = descending;
    int rounds = 0;
    for (group_y = 0; group_y < heads; ++group_y)
        for (group_x = 0; group_x < tiles; ++group_x) {
            for (auto &half : lds) half = (f16)__builtin_nanf("");
            done = rounds = 0;
            for (int w = 0; w < WAVES; ++w)
                for (int l = 0; l < LANE_COUNT; ++l) {
                    void **top = (void **)(stacks[w * LANE_COUNT + l] + STACK) - 2;
                    *top = (void *)lane_main;  // where hop returns to; six registers below
                    waves[w].lane[l] = top - 6;
                    waves[w].turn[l] = 0;
                    pending[w * LANE_COUNT + l].count = 0;
                }
            while (done < THREADS) {
                const int before = done;
                for (int i = 0; i < WAVES; ++i) {
                    this_wave = descending ? WAVES - 1 - i : i;
                    this_lane = 0;
                    hop(&scheduler, waves[this_wave].lane[0]);
                }
                if (done != before && done != THREADS) return -1;
                ++rounds;
            }
        }
    return rounds - 1;
}
