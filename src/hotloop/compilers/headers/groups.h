// HIP and CUDA C++: cooperative groups by their names in the vendors' references. The barrier of a whole grid needs what the host's
// launch brings: it is declared, and a kernel that calls it has code outside itself.
#ifndef HOTLOOP_GROUPS_H
#define HOTLOOP_GROUPS_H
#include "device.h"
namespace cooperative_groups {

#define HL_MEMBER __device__ __forceinline__
/// All work-items of a work-group.
struct thread_block {
    static HL_MEMBER void sync() { __syncthreads(); }
    static HL_MEMBER unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    static HL_MEMBER unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static HL_MEMBER unsigned num_threads() { return size(); }
    static HL_MEMBER dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static HL_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static HL_MEMBER dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static HL_MEMBER dim3 dim_threads() { return group_dim(); }
};
HL_DEVICE thread_block this_thread_block() { return {}; }

#if defined(__HIP__)
extern "C" __attribute__((visibility("default"))) __device__ void __grid_sync_of_hip();
/// All work-items of a launch.
struct grid_group {
    static HL_MEMBER void sync() { __grid_sync_of_hip(); }
    static HL_MEMBER bool is_valid() { return true; }
    static HL_MEMBER dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static HL_MEMBER unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    static HL_MEMBER unsigned long long block_rank() { return blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z); }
    static HL_MEMBER unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
    static HL_MEMBER unsigned long long size() { return num_blocks() * thread_block::size(); }
    static HL_MEMBER unsigned long long num_threads() { return size(); }
};
HL_DEVICE grid_group this_grid() { return {}; }
#endif

/// A segment of N lanes of a wave, a power of two.
template <unsigned N, typename Parent = thread_block> struct thread_block_tile {
    static_assert(N && !(N & (N - 1)), "a tile has a power of two of work-items");
    static HL_MEMBER void sync() { __syncwarp(); }
    static HL_MEMBER unsigned thread_rank() { return thread_block::thread_rank() % N; }
    static constexpr HL_MEMBER unsigned size() { return N; }
    static constexpr HL_MEMBER unsigned num_threads() { return N; }
    static HL_MEMBER unsigned meta_group_rank() { return Parent::thread_rank() / N; }
    static HL_MEMBER unsigned meta_group_size() { return (Parent::size() + N - 1) / N; }
    template <typename T> HL_MEMBER T shfl(T x, int rank) const { return __shfl(x, rank, N); }
    template <typename T> HL_MEMBER T shfl_down(T x, unsigned delta) const { return __shfl_down(x, delta, N); }
    template <typename T> HL_MEMBER T shfl_up(T x, unsigned delta) const { return __shfl_up(x, delta, N); }
    template <typename T> HL_MEMBER T shfl_xor(T x, unsigned mask) const { return __shfl_xor(x, mask, N); }
    HL_MEMBER unsigned long long ballot(int p) const { return hl_ballot(p) >> first() & most(); }
    HL_MEMBER int any(int p) const { return ballot(p) != 0; }
    HL_MEMBER int all(int p) const { return ballot(!p) == 0; }
#if defined(__HIP__)
    template <typename T> HL_MEMBER unsigned long long match_any(T x) const { return __match_any(x) >> first() & most(); }
    template <typename T> HL_MEMBER unsigned long long match_all(T x, int &same) const
    {
        const unsigned long long active = ballot(1), alike = match_any(x);
        same = alike == active;
        return same ? active : 0;
    }
#endif

  private:
    static HL_MEMBER int first() { return __lane_id() & -(int)N; }
    static HL_MEMBER unsigned long long most() { return N == 64 ? ~0ull : (1ull << N % 64) - 1; }
};
template <unsigned N, typename Parent> HL_DEVICE thread_block_tile<N, Parent> tiled_partition(const Parent &) { return {}; }

/// The lanes of a wave that were active when it was made.
struct coalesced_group {
    unsigned long long lanes;
    HL_MEMBER unsigned size() const { return (unsigned)__popcll(lanes); }
    HL_MEMBER unsigned num_threads() const { return size(); }
    HL_MEMBER unsigned thread_rank() const { return (unsigned)__popcll(lanes & ((1ull << __lane_id()) - 1)); }
    HL_MEMBER void sync() const { __syncwarp(); }
    HL_MEMBER unsigned long long ballot(int p) const
    {
        const unsigned long long votes = hl_ballot(p);
        unsigned long long made = 0;
        int rank = 0;
        for (unsigned long long left = lanes; left; left &= left - 1, rank++) made |= (votes >> (__ffsll(left) - 1) & 1) << rank;
        return made;
    }
    HL_MEMBER int any(int p) const { return (hl_ballot(p) & lanes) != 0; }
    HL_MEMBER int all(int p) const { return (hl_ballot(!p) & lanes) == 0; }
    template <typename T> HL_MEMBER T shfl(T x, int rank) const { return hl_shuffle(x, lane((unsigned)rank % size())); }
    template <typename T> HL_MEMBER T shfl_down(T x, unsigned delta) const
    {
        const unsigned rank = thread_rank() + delta;
        return hl_shuffle(x, rank < size() ? lane(rank) : __lane_id());
    }
    template <typename T> HL_MEMBER T shfl_up(T x, unsigned delta) const
    {
        return hl_shuffle(x, thread_rank() >= delta ? lane(thread_rank() - delta) : __lane_id());
    }

  private:
    HL_MEMBER int lane(unsigned rank) const
    {
        unsigned long long left = lanes;
        while (rank--) left &= left - 1;
        return __ffsll(left) - 1;
    }
};
HL_DEVICE coalesced_group coalesced_threads() { return {hl_ballot(1)}; }
#if defined(__HIP__)
/// The members of a group with a member's own answer; all of them must come here together.
HL_DEVICE coalesced_group binary_partition(const coalesced_group &of, bool p)
{
    const unsigned long long yes = hl_ballot(p);
    return {of.lanes & (p ? yes : ~yes)};
}
template <unsigned N, typename Parent> HL_DEVICE coalesced_group binary_partition(const thread_block_tile<N, Parent> &, bool p)
{
    const int first = __lane_id() & -(int)N;
    return binary_partition(coalesced_group{(N == 64 ? ~0ull : (1ull << N % 64) - 1) << first}, p);
}
#endif
/// A segment of `n` lanes, a power of two, where `n` is not a constant.
HL_DEVICE coalesced_group tiled_partition(const thread_block &, unsigned n)
{
    return {hl_ballot(1) & (n < 64 ? (1ull << n) - 1 : ~0ull) << (__lane_id() & -(int)n)};
}
/// The members that have the same label; all of them must come here together.
HL_DEVICE coalesced_group labeled_partition(const coalesced_group &of, int label)
{
    unsigned long long mine = 0, votes;
    for (unsigned long long rest = of.lanes; rest; rest &= ~votes) {
        votes = of.lanes & hl_ballot(label == hl_shuffle(label, __ffsll(rest) - 1));
        if (votes >> __lane_id() & 1) mine = votes;
    }
    return {mine};
}
template <unsigned N, typename Parent> HL_DEVICE coalesced_group labeled_partition(const thread_block_tile<N, Parent> &, int label)
{
    return labeled_partition(tiled_partition(thread_block(), N), label);
}
#define HL_OPERATION(NAME, EXPRESSION)                                                                                 \
    template <typename T> struct NAME { HL_MEMBER T operator()(T a, T b) const { return EXPRESSION; } };
HL_OPERATION(plus, a + b) HL_OPERATION(less, b < a ? b : a) HL_OPERATION(greater, b > a ? b : a)
HL_OPERATION(bit_and, a & b) HL_OPERATION(bit_or, a | b) HL_OPERATION(bit_xor, a ^ b)
/// What an operation makes of all members' values, in every member.
template <unsigned N, typename Parent, typename T, typename F>
HL_DEVICE T reduce(const thread_block_tile<N, Parent> &tile, T x, F &&operation)
{
    for (unsigned distance = N / 2; distance; distance /= 2) x = operation(x, tile.shfl_xor(x, distance));
    return x;
}
template <typename T, typename F> HL_DEVICE T reduce(const coalesced_group &group, T x, F &&operation)
{
    T all = group.shfl(x, 0);
    for (unsigned rank = 1; rank < group.size(); rank++) all = operation(all, group.shfl(x, rank));
    return all;
}
/// What an operation makes of the values of a member and all before it.
template <typename G, typename T, typename F> HL_DEVICE T inclusive_scan(const G &group, T x, F &&operation)
{
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const T before = group.shfl_up(x, distance);
        if (group.thread_rank() >= distance) x = operation(before, x);
    }
    return x;
}
template <typename G> HL_DEVICE void sync(const G &group) { group.sync(); }
template <typename G> HL_DEVICE auto thread_rank(const G &group) { return group.thread_rank(); }
template <typename G> HL_DEVICE auto group_size(const G &group) { return group.size(); }
template <typename G> HL_DEVICE bool is_valid(const G &) { return true; }
} // namespace cooperative_groups
#endif
