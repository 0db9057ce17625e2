// HIP and CUDA C++: vectors of three, which take three elements' bytes in arrays (clang's own vectors take four), and of one.
//
// Read by device.h. An operation with a number takes it for each element, as HIP's vectors do; a function of the same name in the
// text itself is preferred, as these are templates.
#ifndef HOTLOOP_THREES_H
#define HOTLOOP_THREES_H
template <typename T> struct hl_three { T x, y, z; };
template <typename T> struct hl_itself { typedef T type; };
template <typename T> using hl_number = typename hl_itself<T>::type;
#define HL_THREE(OP)                                                                                                   \
    template <typename T> HL_DEVICE hl_three<T> operator OP(hl_three<T> a, hl_three<T> b)                              \
    {                                                                                                                  \
        return {(T)(a.x OP b.x), (T)(a.y OP b.y), (T)(a.z OP b.z)};                                                    \
    }                                                                                                                  \
    template <typename T> HL_DEVICE hl_three<T> operator OP(hl_three<T> a, hl_number<T> b) { return a OP hl_three<T>{b, b, b}; } \
    template <typename T> HL_DEVICE hl_three<T> operator OP(hl_number<T> a, hl_three<T> b) { return hl_three<T>{a, a, a} OP b; } \
    template <typename T> HL_DEVICE hl_three<T> &operator OP##=(hl_three<T> &a, hl_three<T> b) { return a = a OP b; }  \
    template <typename T> HL_DEVICE hl_three<T> &operator OP##=(hl_three<T> &a, hl_number<T> b) { return a = a OP b; }
HL_THREE(+) HL_THREE(-) HL_THREE(*) HL_THREE(/)
template <typename T> HL_DEVICE hl_three<T> operator-(hl_three<T> a) { return {(T)-a.x, (T)-a.y, (T)-a.z}; }
template <typename T> HL_DEVICE bool operator==(hl_three<T> a, hl_three<T> b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
template <typename T> HL_DEVICE bool operator!=(hl_three<T> a, hl_three<T> b) { return !(a == b); }
#endif
