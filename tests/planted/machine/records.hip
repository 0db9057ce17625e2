// Records of a byte, a half and a word without gaps, read from bytes and kept on a stack in private memory.
// grid 1, group 64
// x=u8:448:count y=u32:64:fresh last=i32:=39 zero=i32:=0
// 1: uninitialised; the flags of the records on the stack are not written
// 2: out of bounds; the stack is left by ten records
// 3: misaligned; an atomic on the word within a record of bytes
// 4: out of bounds; the word of the record behind the last one is read
// 5: uninitialised; a half on the stack is written as a byte
// 6: uninitialised; a byte on the stack holds what an instruction left undefined
#include <hip/hip_runtime.h>
struct __attribute__((packed)) Record { uchar kind; ushort size; uint value; };
extern "C" __global__ __launch_bounds__(64) void records(Record *x, uint *y, int last, int zero)
{
    volatile struct { uint value; ushort size; uchar kind, flags; } stack[40];
    const int t = threadIdx.x;
    uint sum = 0;
    for (int i = 0; i <= last + 10 * (BUG == 2); ++i) {
        const Record r = x[(t + i) % 64 + (BUG == 4 && i == 0)];
        stack[i].value = r.value;
        if (BUG == 5) *(volatile uchar *)&stack[i].size = r.size;
        else stack[i].size = r.size;
        stack[i].kind = r.kind;
        int flags = i & 3;
        if (BUG == 6) asm volatile("; nothing is written to %0" : "={v60}"(flags));
        if (BUG != 1) stack[i].flags = flags;
    }
    for (int i = last; i >= 0; --i) sum = sum * 31 + stack[(i * 7 + t) % (last + 1) + zero].value + stack[i].size + stack[i].flags;
    if (BUG == 3) atomicAdd((uint *)((char *)x + 7 * t + 3), 1u);
    y[t] = sum;
}
