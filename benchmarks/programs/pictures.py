"""An OpenCL image pipeline as its author writes it: grey, Gaussian blur, Sobel, histogram, equalised; picture after picture.

    python pictures.py [--pictures 60] [--width 1280] [--height 720]

It knows nothing of hotloop. The last line says how long the pictures took, without start and compiling.
"""

import argparse
import time

import numpy as np
import pyopencl as cl

SOURCE = """
__kernel void grey(__global const uchar *rgb, __global float *out, const int width, const int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        int i = y * width + x;
        out[i] = 0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2];
    }
}

__kernel void blur(__global const float *in, __global const float *weights, __global float *out,
                   const int width, const int height, const int radius) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= radius && x < width - radius && y >= radius && y < height - radius) {
        float sum = 0.0f;
        for (int j = -radius; j <= radius; j++)
            for (int i = -radius; i <= radius; i++)
                sum += weights[(j + radius) * (2 * radius + 1) + i + radius] * in[(y + j) * width + x + i];
        out[y * width + x] = sum;
    }
}

__kernel void sobel(__global const float *in, __global float *out, const int width, const int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= 1 && x < width - 1 && y >= 1 && y < height - 1) {
        float gx = in[(y - 1) * width + x + 1] - in[(y - 1) * width + x - 1]
                 + 2.0f * (in[y * width + x + 1] - in[y * width + x - 1])
                 + in[(y + 1) * width + x + 1] - in[(y + 1) * width + x - 1];
        float gy = in[(y + 1) * width + x - 1] - in[(y - 1) * width + x - 1]
                 + 2.0f * (in[(y + 1) * width + x] - in[(y - 1) * width + x])
                 + in[(y + 1) * width + x + 1] - in[(y - 1) * width + x + 1];
        out[y * width + x] = sqrt(gx * gx + gy * gy);
    }
}

__kernel void histogram(__global const float *in, __global uint *bins, const int count) {
    int i = get_global_id(0);
    if (i < count) atomic_inc(&bins[clamp((int)in[i], 0, 255)]);
}

__kernel void cumulate(__global const uint *bins, __global float *table, const int count) {
    uint sum = 0;
    for (int i = 0; i < 256; i++) {
        sum += bins[i];
        table[i] = 255.0f * sum / count;
    }
}

__kernel void equalise(__global const float *in, __global const float *table, __global uchar *out, const int count) {
    int i = get_global_id(0);
    if (i < count) out[i] = (uchar)table[clamp((int)in[i], 0, 255)];
}
"""
RADIUS = 3


def gaussian(radius):
    x = np.arange(-radius, radius + 1)
    line = np.exp(-0.5 * (x / (radius / 2.0)) ** 2)
    return np.outer(line, line).astype(np.float32) / np.float32(line.sum() ** 2)


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("--pictures", type=int, default=60)
    asked.add_argument("--width", type=int, default=1280)
    asked.add_argument("--height", type=int, default=720)
    given = asked.parse_args()
    width, height, count = given.width, given.height, given.width * given.height
    rng = np.random.default_rng(1)
    pictures = rng.integers(0, 256, (4, height, width, 3), dtype=np.uint8)

    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    flags = cl.mem_flags
    rgb = cl.Buffer(context, flags.READ_ONLY, 3 * count)
    weights = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=gaussian(RADIUS))
    plain, smooth, edges = (cl.Buffer(context, flags.READ_WRITE, 4 * count) for _ in range(3))
    bins, table = (cl.Buffer(context, flags.READ_WRITE, 4 * 256) for _ in range(2))
    out = cl.Buffer(context, flags.WRITE_ONLY, count)
    program = cl.Program(context, SOURCE).build()
    grey, blur, sobel = program.grey, program.blur, program.sobel
    histogram, cumulate, equalise = program.histogram, program.cumulate, program.equalise
    for kernel in (smooth, edges):
        cl.enqueue_fill_buffer(queue, kernel, np.float32(0), 0, 4 * count)

    w, h, n = np.int32(width), np.int32(height), np.int32(count)
    result = np.empty((height, width), np.uint8)

    def turn(picture):
        cl.enqueue_copy(queue, rgb, picture, is_blocking=False)
        cl.enqueue_fill_buffer(queue, bins, np.uint32(0), 0, 4 * 256)
        grey(queue, (width, height), None, rgb, plain, w, h)
        blur(queue, (width, height), None, plain, weights, smooth, w, h, np.int32(RADIUS))
        sobel(queue, (width, height), None, smooth, edges, w, h)
        histogram(queue, (count,), None, edges, bins, n)
        cumulate(queue, (1,), None, bins, table, n)
        equalise(queue, (count,), None, edges, table, out, n)
        cl.enqueue_copy(queue, result, out)

    turn(pictures[0])
    began = time.perf_counter()
    total = 0
    for number in range(given.pictures):
        turn(pictures[number % len(pictures)])
        total += int(result[number % height].sum())
    print(f"{given.pictures} pictures, sum {total}, {time.perf_counter() - began:.4f} s")


if __name__ == "__main__":
    main()
