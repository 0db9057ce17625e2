"""Expressions in reverse Polish notation, one for each work-item, on a stack in private memory."""

import numpy as np

import hotloop as hl

DEPTH = 12

A = """
#define DEPTH 12
enum { NUMBER, VARIABLE, ADD, SUBTRACT, TIMES, LEAST, NEGATE, DOUBLED };
__kernel void rpn(__global const uchar *code, __global const float *number, __global const int *start, __global const float *x,
                  __global float *value, const int programs) {
    const int p = get_global_id(0);
    if (p >= programs) return;
    float stack[DEPTH];
    int top = 0;
    for (int i = start[p]; i < start[p + 1]; ++i) {
        switch (code[i]) {
            case NUMBER: stack[top++] = number[i]; break;
            case VARIABLE: stack[top++] = x[p]; break;
            case ADD: --top; stack[top - 1] += stack[top]; break;
            case SUBTRACT: --top; stack[top - 1] -= stack[top]; break;
            case TIMES: --top; stack[top - 1] *= stack[top]; break;
            case LEAST: --top; stack[top - 1] = stack[top] < stack[top - 1] ? stack[top] : stack[top - 1]; break;
            case NEGATE: stack[top - 1] = -stack[top - 1]; break;
            case DOUBLED: stack[top] = stack[top - 1]; ++top; break;
        }
    }
    value[p] = top ? stack[top - 1] : 0.0f;
}
"""


@hl.kernel(
    problem=dict(programs=3000, longest=40),
    work=lambda p: hl.Work(flops=p.programs * p.longest // 4, bytes=8 * p.programs + 3 * p.programs * p.longest),
    awkward=lambda p: [dict(programs=1, longest=1), dict(programs=65, longest=9), dict(programs=257, longest=20)],
    tolerance=hl.Tolerance(terms=40),
    domain=dict(code="fixed", start="fixed"),
)
class rpn:
    def inputs(p, rng):
        code, start = [], [0]
        for _ in range(p.programs):
            depth, length = 0, int(rng.integers(0, p.longest + 1))
            for _ in range(length):
                legal = (
                    [0, 1] * (depth < DEPTH)
                    + [2, 3, 4, 5] * (depth > 1)
                    + [6] * (depth > 0)
                    + [7] * (0 < depth < DEPTH)
                )
                one = int(rng.choice(legal))
                depth += {0: 1, 1: 1, 6: 0, 7: 1}.get(one, -1)
                code.append(one)
            start.append(len(code))
        size = max(1, len(code))
        return dict(
            code=np.array(code or [0], "u1"), number=rng.uniform(-1, 1, size).astype("f4"), start=np.array(start, "i4"),
            x=rng.uniform(-1, 1, p.programs).astype("f4"), value=hl.empty(p.programs), programs=p.programs,
        )  # fmt: skip

    def reference(p, code, number, start, x, value, programs):
        out = np.zeros(programs)
        for k in range(programs):
            stack = []
            for i in range(start[k], start[k + 1]):
                c = code[i]
                if c == 0:
                    stack.append(float(number[i]))
                elif c == 1:
                    stack.append(float(x[k]))
                elif c == 6:
                    stack[-1] = -stack[-1]
                elif c == 7:
                    stack.append(stack[-1])
                else:
                    b = stack.pop()
                    a = stack.pop()
                    stack.append([a + b, a - b, a * b, min(a, b)][c - 2])
            out[k] = stack[-1] if stack else 0.0
        return dict(value=out)

    a = hl.OpenCL(A, "rpn", global_size=lambda p, c: (p.programs,))


MUTANTS = [
    (
        "a",
        "swap",
        "subtrahend and minuend exchanged",
        "stack[top - 1] -= stack[top];",
        "stack[top - 1] = stack[top] - stack[top - 1];",
    ),
    (
        "a",
        "uninitialised",
        "an empty program gives what the stack holds",
        "top ? stack[top - 1] : 0.0f",
        "stack[max(top - 1, 0)]",
    ),
    ("a", "overrun", "the stack is two thirds as deep", "float stack[DEPTH];", "float stack[8];"),
    ("a", "uninitialised", "doubled without its value", "stack[top] = stack[top - 1]; ++top;", "++top;"),
    ("a", "lost-tail", "the last instruction is left out", "i < start[p + 1]; ++i", "i + 1 < start[p + 1]; ++i"),
    (
        "a",
        "swap",
        "the largest instead of the least where one is negative",
        "stack[top] < stack[top - 1] ? ",
        "fabs(stack[top]) < fabs(stack[top - 1]) ? ",
    ),
    ("a", "index", "the variable of the next one", "x[p]", "x[min(p + 1, programs - 1)]"),
]
