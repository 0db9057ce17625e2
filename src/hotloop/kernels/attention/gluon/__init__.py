"""The Gluon implementation for Hopper: a producer warp, consumer warp groups, softmax under the products."""
