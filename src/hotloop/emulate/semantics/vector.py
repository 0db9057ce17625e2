"""The vector unit's plain instructions: result type, operand types, expression of a, b, c; d is the old result.

The expressions use operators that mean the same in C and in NumPy, and the functions of `functions`. Types: f16 and the
like are the low half of a register or, by op_sel and ``.h``, the upper one; 64-bit types take two registers. ``cast`` of a
type is written as its name.

Sources: AMD's ISA references of RDNA 1 to 4 and CDNA 2 to 4, sections "VOP1", "VOP2" and "VOP3 instructions"; names of the
assembler: LLVM, "Syntax of AMDGPU instructions".
"""

from __future__ import annotations

TABLE = """
v_mov_b32            u32 u32              : a
v_mov_b16            u16 u16              : a
v_mov_b64            u64 u64              : a
v_accvgpr_mov_b32    u32 u32              : a
v_accvgpr_read_b32   u32 u32              : a
v_accvgpr_write_b32  u32 u32              : a
v_not_b32            u32 u32              : ~a
v_not_b16            u16 u16              : ~a
v_bfrev_b32          u32 u32              : reverse(a)
v_prng_b32           u32 u32              : (a << 1) ^ select(a >> 31 != 0, u32(197), u32(0))
v_ffbh_u32           i32 u32              : clz(a)
v_ffbl_b32           i32 u32              : ctz(a)
v_ffbh_i32           i32 i32              : cls(a)
v_clz_i32_u32        i32 u32              : clz(a)
v_ctz_i32_b32        i32 u32              : ctz(a)
v_cls_i32            i32 i32              : cls(a)

v_cvt_f32_i32        f32 i32              : f32(a)
v_cvt_f32_u32        f32 u32              : f32(a)
v_cvt_f32_ubyte0     f32 u32              : f32(a & 255)
v_cvt_f32_ubyte1     f32 u32              : f32(a >> 8 & 255)
v_cvt_f32_ubyte2     f32 u32              : f32(a >> 16 & 255)
v_cvt_f32_ubyte3     f32 u32              : f32(a >> 24)
v_cvt_off_f32_i4     f32 u32              : f32(i32((a & 15) ^ 8) - 8) * f32(0.0625)
v_cvt_f32_f16        f32 f16              : f32(a)
v_cvt_f32_bf16       f32 bf16             : a
v_cvt_f16_f32        f16 f32              : to_half(a)
v_cvt_f32_f64        f32 f64              : f32(a)
v_cvt_f64_f32        f64 f32              : f64(a)
v_cvt_f64_i32        f64 i32              : f64(a)
v_cvt_f64_u32        f64 u32              : f64(a)
v_cvt_u32_f32        u32 f32              : to_unsigned(a)
v_cvt_i32_f32        i32 f32              : to_signed(a)
v_cvt_u32_f64        u32 f64              : to_unsigned(a)
v_cvt_i32_f64        i32 f64              : to_signed(a)
v_cvt_rpi_i32_f32    i32 f32              : to_signed(floor(a + 0.5))
v_cvt_flr_i32_f32    i32 f32              : to_signed(floor(a))
v_cvt_nearest_i32_f32 i32 f32             : to_signed(floor(a + 0.5))
v_cvt_floor_i32_f32  i32 f32              : to_signed(floor(a))
v_cvt_f16_u16        f16 u16              : to_half(f32(a))
v_cvt_f16_i16        f16 i16              : to_half(f32(a))
v_cvt_u16_f16        u16 f16              : to_unsigned(a, 16)
v_cvt_i16_f16        i16 f16              : to_signed(a, 16)
v_cvt_u32_u16        u32 u16              : u32(a)
v_cvt_i32_i16        i32 i16              : i32(a)
v_cvt_norm_i16_f16   i16 f16              : snorm(a, 32767.0)
v_cvt_norm_u16_f16   u16 f16              : unorm(a, 65535.0)

v_rcp_f32            f32 f32              : rcp(a)
v_rcp_iflag_f32      f32 f32              : rcp(a)
v_rsq_f32            f32 f32              : rsq(a)
v_sqrt_f32           f32 f32              : sqrtf(a)
v_exp_f32            f32 f32              : exp2f(a)
v_log_f32            f32 f32              : log2f(a)
v_sin_f32            f32 f32              : sinf(a)
v_cos_f32            f32 f32              : cosf(a)
v_rcp_f16            f16 f16              : rcp16(a)
v_rsq_f16            f16 f16              : rsq16(a)
v_sqrt_f16           f16 f16              : sqrt16(a)
v_exp_f16            f16 f16              : exp16(a)
v_log_f16            f16 f16              : log16(a)
v_sin_f16            f16 f16              : sin16(a)
v_cos_f16            f16 f16              : cos16(a)
v_rcp_f64            f64 f64              : 1.0 / a
v_rsq_f64            f64 f64              : 1.0 / sqrt(a)
v_sqrt_f64           f64 f64              : sqrt(a)
v_fract_f32          f32 f32              : fract(a)
v_fract_f16          f16 f16              : fract(a)
v_fract_f64          f64 f64              : fract(a)
v_trunc_f32          f32 f32              : trunc(a)
v_ceil_f32           f32 f32              : ceil(a)
v_rndne_f32          f32 f32              : rint(a)
v_floor_f32          f32 f32              : floor(a)
v_trunc_f16          f16 f16              : trunc(a)
v_ceil_f16           f16 f16              : ceil(a)
v_rndne_f16          f16 f16              : rint(a)
v_floor_f16          f16 f16              : floor(a)
v_trunc_f64          f64 f64              : trunc(a)
v_ceil_f64           f64 f64              : ceil(a)
v_rndne_f64          f64 f64              : rint(a)
v_floor_f64          f64 f64              : floor(a)
v_frexp_exp_i32_f32  i32 f32              : frexp_exponent(a)
v_frexp_mant_f32     f32 f32              : frexp_mantissa(a)
v_frexp_exp_i32_f64  i32 f64              : frexp_exponent(a)
v_frexp_mant_f64     f64 f64              : frexp_mantissa(a)
v_frexp_exp_i16_f16  i16 f16              : frexp_exponent(a)
v_frexp_mant_f16     f16 f16              : frexp_mantissa(a)

v_add_f32            f32 f32 f32          : a + b
v_sub_f32            f32 f32 f32          : a - b
v_subrev_f32         f32 f32 f32          : b - a
v_mul_f32            f32 f32 f32          : a * b
v_mul_legacy_f32     f32 f32 f32          : select((a == 0) | (b == 0), f32(0), a * b)
v_mul_dx9_zero_f32   f32 f32 f32          : select((a == 0) | (b == 0), f32(0), a * b)
v_min_f32            f32 f32 f32          : fmin(a, b)
v_max_f32            f32 f32 f32          : fmax(a, b)
v_min_num_f32        f32 f32 f32          : fmin(a, b)
v_max_num_f32        f32 f32 f32          : fmax(a, b)
v_minimum_f32        f32 f32 f32          : minimum(a, b)
v_maximum_f32        f32 f32 f32          : maximum(a, b)
v_fmac_f32           f32 f32 f32 f32=     : fma32(a, b, c)
v_mac_f32            f32 f32 f32 f32=     : a * b + c
v_fma_f32            f32 f32 f32 f32      : fma32(a, b, c)
v_mad_f32            f32 f32 f32 f32      : a * b + c
v_fmamk_f32          f32 f32 f32 f32      : fma32(a, b, c)
v_fmaak_f32          f32 f32 f32 f32      : fma32(a, b, c)
v_madmk_f32          f32 f32 f32 f32      : a * b + c
v_madak_f32          f32 f32 f32 f32      : a * b + c
v_fma_legacy_f32     f32 f32 f32 f32      : select((a == 0) | (b == 0), c, fma32(a, b, c))
v_fma_dx9_zero_f32   f32 f32 f32 f32      : select((a == 0) | (b == 0), c, fma32(a, b, c))
v_fmac_legacy_f32    f32 f32 f32 f32=     : select((a == 0) | (b == 0), c, fma32(a, b, c))
v_fmac_dx9_zero_f32  f32 f32 f32 f32=     : select((a == 0) | (b == 0), c, fma32(a, b, c))
v_mad_legacy_f32     f32 f32 f32 f32      : select((a == 0) | (b == 0), c, a * b + c)
v_add_f16            f16 f16 f16          : a + b
v_sub_f16            f16 f16 f16          : a - b
v_subrev_f16         f16 f16 f16          : b - a
v_mul_f16            f16 f16 f16          : a * b
v_min_f16            f16 f16 f16          : fmin(a, b)
v_max_f16            f16 f16 f16          : fmax(a, b)
v_min_num_f16        f16 f16 f16          : fmin(a, b)
v_max_num_f16        f16 f16 f16          : fmax(a, b)
v_minimum_f16        f16 f16 f16          : minimum(a, b)
v_maximum_f16        f16 f16 f16          : maximum(a, b)
v_fmac_f16           f16 f16 f16 f16=     : fma16(a, b, c)
v_fma_f16            f16 f16 f16 f16      : fma16(a, b, c)
v_mad_f16            f16 f16 f16 f16      : a * b + c
v_mac_f16            f16 f16 f16 f16=     : a * b + c
v_madmk_f16          f16 f16 f16 f16      : a * b + c
v_madak_f16          f16 f16 f16 f16      : a * b + c
v_fmamk_f16          f16 f16 f16 f16      : fma16(a, b, c)
v_fmaak_f16          f16 f16 f16 f16      : fma16(a, b, c)
v_ldexp_f16          f16 f16 i16          : ldexp(a, b)
v_add_f64            f64 f64 f64          : a + b
v_mul_f64            f64 f64 f64          : a * b
v_min_f64            f64 f64 f64          : fmin(a, b)
v_max_f64            f64 f64 f64          : fmax(a, b)
v_min_num_f64        f64 f64 f64          : fmin(a, b)
v_max_num_f64        f64 f64 f64          : fmax(a, b)
v_minimum_f64        f64 f64 f64          : minimum(a, b)
v_maximum_f64        f64 f64 f64          : maximum(a, b)
v_trig_preop_f64     f64 f64 u32          : two_over_pi(a, b)
v_fma_f64            f64 f64 f64 f64      : fma64(a, b, c)
v_fmamk_f64          f64 f64 f64 f64      : fma64(a, b, c)
v_fmaak_f64          f64 f64 f64 f64      : fma64(a, b, c)
v_fmac_f64           f64 f64 f64 f64=     : fma64(a, b, c)
v_ldexp_f64          f64 f64 i32          : ldexp(a, b)
v_ldexp_f32          f32 f32 i32          : ldexp(a, b)

v_min3_f32           f32 f32 f32 f32      : fmin(fmin(a, b), c)
v_max3_f32           f32 f32 f32 f32      : fmax(fmax(a, b), c)
v_med3_f32           f32 f32 f32 f32      : fmed3(a, b, c)
v_min3_num_f32       f32 f32 f32 f32      : fmin(fmin(a, b), c)
v_max3_num_f32       f32 f32 f32 f32      : fmax(fmax(a, b), c)
v_med3_num_f32       f32 f32 f32 f32      : fmed3(a, b, c)
v_minmax_f32         f32 f32 f32 f32      : fmax(fmin(a, b), c)
v_maxmin_f32         f32 f32 f32 f32      : fmin(fmax(a, b), c)
v_minmax_num_f32     f32 f32 f32 f32      : fmax(fmin(a, b), c)
v_maxmin_num_f32     f32 f32 f32 f32      : fmin(fmax(a, b), c)
v_minimum3_f32       f32 f32 f32 f32      : minimum(minimum(a, b), c)
v_maximum3_f32       f32 f32 f32 f32      : maximum(maximum(a, b), c)
v_minimum3_f16       f16 f16 f16 f16      : minimum(minimum(a, b), c)
v_maximum3_f16       f16 f16 f16 f16      : maximum(maximum(a, b), c)
v_min3_f16           f16 f16 f16 f16      : fmin(fmin(a, b), c)
v_max3_f16           f16 f16 f16 f16      : fmax(fmax(a, b), c)
v_med3_f16           f16 f16 f16 f16      : fmed3(a, b, c)
v_min3_num_f16       f16 f16 f16 f16      : fmin(fmin(a, b), c)
v_max3_num_f16       f16 f16 f16 f16      : fmax(fmax(a, b), c)
v_med3_num_f16       f16 f16 f16 f16      : fmed3(a, b, c)
v_minmax_f16         f16 f16 f16 f16      : fmax(fmin(a, b), c)
v_maxmin_f16         f16 f16 f16 f16      : fmin(fmax(a, b), c)
v_minmax_num_f16     f16 f16 f16 f16      : fmax(fmin(a, b), c)
v_maxmin_num_f16     f16 f16 f16 f16      : fmin(fmax(a, b), c)
v_minimummaximum_f32 f32 f32 f32 f32      : maximum(minimum(a, b), c)
v_maximumminimum_f32 f32 f32 f32 f32      : minimum(maximum(a, b), c)
v_minimummaximum_f16 f16 f16 f16 f16      : maximum(minimum(a, b), c)
v_maximumminimum_f16 f16 f16 f16 f16      : minimum(maximum(a, b), c)
v_min3_i32           i32 i32 i32 i32      : minimum(minimum(a, b), c)
v_max3_i32           i32 i32 i32 i32      : maximum(maximum(a, b), c)
v_med3_i32           i32 i32 i32 i32      : med3(a, b, c)
v_min3_u32           u32 u32 u32 u32      : minimum(minimum(a, b), c)
v_max3_u32           u32 u32 u32 u32      : maximum(maximum(a, b), c)
v_med3_u32           u32 u32 u32 u32      : med3(a, b, c)
v_min3_i16           i16 i16 i16 i16      : minimum(minimum(a, b), c)
v_max3_i16           i16 i16 i16 i16      : maximum(maximum(a, b), c)
v_med3_i16           i16 i16 i16 i16      : med3(a, b, c)
v_min3_u16           u16 u16 u16 u16      : minimum(minimum(a, b), c)
v_max3_u16           u16 u16 u16 u16      : maximum(maximum(a, b), c)
v_med3_u16           u16 u16 u16 u16      : med3(a, b, c)
v_maxmin_i32         i32 i32 i32 i32      : minimum(maximum(a, b), c)
v_minmax_i32         i32 i32 i32 i32      : maximum(minimum(a, b), c)
v_maxmin_u32         u32 u32 u32 u32      : minimum(maximum(a, b), c)
v_minmax_u32         u32 u32 u32 u32      : maximum(minimum(a, b), c)

v_add_u32            u32 u32 u32          : a + b
v_sub_u32            u32 u32 u32          : a - b
v_subrev_u32         u32 u32 u32          : b - a
v_add_nc_u32         u32 u32 u32          : a + b
v_sub_nc_u32         u32 u32 u32          : a - b
v_subrev_nc_u32      u32 u32 u32          : b - a
v_add_nc_i32         i32 i32 i32          : a + b
v_sub_nc_i32         i32 i32 i32          : a - b
v_add_i32            i32 i32 i32          : a + b
v_sub_i32            i32 i32 i32          : a - b
v_add_u16            u16 u16 u16          : a + b
v_sub_u16            u16 u16 u16          : a - b
v_subrev_u16         u16 u16 u16          : b - a
v_add_nc_u16         u16 u16 u16          : a + b
v_sub_nc_u16         u16 u16 u16          : a - b
v_add_nc_i16         i16 i16 i16          : a + b
v_sub_nc_i16         i16 i16 i16          : a - b
v_add_i16            i16 i16 i16          : a + b
v_sub_i16            i16 i16 i16          : a - b
v_add_nc_u64         u64 u64 u64          : a + b
v_sub_nc_u64         u64 u64 u64          : a - b
v_lshl_add_u64       u64 u64 u32 u64      : (a << u64(b & 7)) + c
v_mul_u64            u64 u64 u64          : a * b
v_mad_nc_u64_u32     u64 u32 u32 u64      : u64(a) * u64(b) + c
v_mad_nc_i64_i32     i64 i32 i32 i64      : i64(a) * i64(b) + c
v_min_u64            u64 u64 u64          : minimum(a, b)
v_max_u64            u64 u64 u64          : maximum(a, b)
v_min_i64            i64 i64 i64          : minimum(a, b)
v_max_i64            i64 i64 i64          : maximum(a, b)
v_mul_lo_u16         u16 u16 u16          : a * b
v_mul_lo_u32         u32 u32 u32          : a * b
v_mul_lo_i32         i32 i32 i32          : a * b
v_mul_hi_u32         u32 u32 u32          : umulhi(a, b)
v_mul_hi_i32         i32 i32 i32          : imulhi(a, b)
v_mul_u32_u24        u32 u32 u32          : u24(a) * u24(b)
v_mul_i32_i24        i32 i32 i32          : i24(a) * i24(b)
v_mul_hi_u32_u24     u32 u32 u32          : umulhi(u24(a), u24(b))
v_mul_hi_i32_i24     i32 i32 i32          : imulhi(i24(a), i24(b))
v_mad_u32_u24        u32 u32 u32 u32      : u24(a) * u24(b) + c
v_mad_i32_i24        i32 i32 i32 i32      : i24(a) * i24(b) + c
v_mad_u16            u16 u16 u16 u16      : a * b + c
v_mad_i16            i16 i16 i16 i16      : a * b + c
v_mad_legacy_u16     u16 u16 u16 u16      : a * b + c
v_mad_legacy_i16     i16 i16 i16 i16      : a * b + c
v_mad_u32_u16        u32 u16 u16 u32      : u32(a) * u32(b) + c
v_mad_i32_i16        i32 i16 i16 i32      : i32(a) * i32(b) + c
v_mad_u32            u32 u32 u32 u32      : a * b + c
v_min_i32            i32 i32 i32          : minimum(a, b)
v_max_i32            i32 i32 i32          : maximum(a, b)
v_min_u32            u32 u32 u32          : minimum(a, b)
v_max_u32            u32 u32 u32          : maximum(a, b)
v_min_i16            i16 i16 i16          : minimum(a, b)
v_max_i16            i16 i16 i16          : maximum(a, b)
v_min_u16            u16 u16 u16          : minimum(a, b)
v_max_u16            u16 u16 u16          : maximum(a, b)
v_add3_u32           u32 u32 u32 u32      : a + b + c
v_add_lshl_u32       u32 u32 u32 u32      : (a + b) << (c & 31)
v_lshl_add_u32       u32 u32 u32 u32      : (a << (b & 31)) + c
v_lshl_or_b32        u32 u32 u32 u32      : (a << (b & 31)) | c
v_and_or_b32         u32 u32 u32 u32      : (a & b) | c
v_or3_b32            u32 u32 u32 u32      : a | b | c
v_xor3_b32           u32 u32 u32 u32      : a ^ b ^ c
v_xad_u32            u32 u32 u32 u32      : (a ^ b) + c
v_and_b32            u32 u32 u32          : a & b
v_or_b32             u32 u32 u32          : a | b
v_xor_b32            u32 u32 u32          : a ^ b
v_xnor_b32           u32 u32 u32          : ~(a ^ b)
v_and_b16            u16 u16 u16          : a & b
v_or_b16             u16 u16 u16          : a | b
v_xor_b16            u16 u16 u16          : a ^ b
v_bfi_b32            u32 u32 u32 u32      : (a & b) | (~a & c)
v_bfm_b32            u32 u32 u32          : ((u32(1) << (a & 31)) - 1) << (b & 31)
v_bfe_u32            u32 u32 u32 u32      : bfe_u(a, b, c)
v_bfe_i32            i32 i32 u32 u32      : bfe_i(a, b, c)
v_bcnt_u32_b32       u32 u32 u32          : popcount(a) + b
v_alignbit_b32       u32 u32 u32 u32      : alignbit(a, b, c)
v_alignbyte_b32      u32 u32 u32 u32      : alignbyte(a, b, c)
v_perm_b32           u32 u32 u32 u32      : perm(a, b, c)
v_sad_u8             u32 u32 u32 u32      : sad_u8(a, b, c)
v_msad_u8            u32 u32 u32 u32      : msad_u8(a, b, c)
v_qsad_pk_u16_u8     u64 u64 u32 u64      : qsad_u8(a, b, c)
v_mqsad_pk_u16_u8    u64 u64 u32 u64      : mqsad_u8(a, b, c)
v_sad_hi_u8          u32 u32 u32 u32      : (sad_u8(a, b, u32(0)) << 16) + c
v_sad_u16            u32 u32 u32 u32      : (maximum(a & 65535, b & 65535) - minimum(a & 65535, b & 65535)) + (maximum(a >> 16, b >> 16) - minimum(a >> 16, b >> 16)) + c
v_lerp_u8            u32 u32 u32 u32      : (a & b) + (((a ^ b) & 4278124286) >> 1) + ((a ^ b) & c & 16843009)
v_sad_u32            u32 u32 u32 u32      : (maximum(a, b) - minimum(a, b)) + c
v_lshlrev_b32        u32 u32 u32          : b << (a & 31)
v_lshrrev_b32        u32 u32 u32          : b >> (a & 31)
v_ashrrev_i32        i32 i32 i32          : b >> (a & 31)
v_lshlrev_b16        u16 u16 u16          : b << (a & 15)
v_lshrrev_b16        u16 u16 u16          : b >> (a & 15)
v_ashrrev_i16        i16 i16 i16          : b >> (a & 15)
v_lshlrev_b64        u64 u32 u64          : b << u64(a & 63)
v_lshrrev_b64        u64 u32 u64          : b >> u64(a & 63)
v_ashrrev_i64        i64 i32 i64          : b >> i64(a & 63)
v_pack_b32_f16       u32 f16 f16          : pack(a, b)
v_cvt_pkrtz_f16_f32  u32 f32 f32          : pack(towards_zero(a), towards_zero(b))
v_cvt_pk_rtz_f16_f32 u32 f32 f32          : pack(towards_zero(a), towards_zero(b))
v_cvt_pk_f16_f32     u32 f32 f32          : pack(to_half(a), to_half(b))
v_cvt_pk_bf16_f32    u32 f32 f32          : pack(to_bf16(a), to_bf16(b))
v_cvt_pk_u16_u32     u32 u32 u32          : pack(u16(minimum(a, u32(65535))), u16(minimum(b, u32(65535))))
v_cvt_pk_i16_i32     u32 i32 i32          : pack(u16(med3(a, i32(-32768), i32(32767))), u16(med3(b, i32(-32768), i32(32767))))
v_cvt_pk_i16_f32     u32 f32 f32          : pack(to_signed(a, 16), to_signed(b, 16))
v_cvt_pk_u16_f32     u32 f32 f32          : pack(to_unsigned(a, 16), to_unsigned(b, 16))
v_sat_pk_u8_i16      u16 u32              : u16(med3(i32(a << 16) >> 16, i32(0), i32(255)) | (med3(i32(a) >> 16, i32(0), i32(255)) << 8))
v_ashr_pk_i8_i32     u16 i32 i32 u32      : u16((med3(a >> i32(c & 31), i32(-128), i32(127)) & 255) | ((med3(b >> i32(c & 31), i32(-128), i32(127)) & 255) << 8))
v_ashr_pk_u8_i32     u16 i32 i32 u32      : u16(med3(a >> i32(c & 31), i32(0), i32(255)) | (med3(b >> i32(c & 31), i32(0), i32(255)) << 8))
v_cvt_pknorm_i16_f16 u32 f16 f16          : pack(snorm(a, 32767.0), snorm(b, 32767.0))
v_cvt_pknorm_u16_f16 u32 f16 f16          : pack(unorm(a, 65535.0), unorm(b, 65535.0))
v_cvt_pk_norm_i16_f16 u32 f16 f16         : pack(snorm(a, 32767.0), snorm(b, 32767.0))
v_cvt_pk_norm_u16_f16 u32 f16 f16         : pack(unorm(a, 65535.0), unorm(b, 65535.0))
v_cvt_pknorm_i16_f32 u32 f32 f32          : pack(snorm(a, 32767.0), snorm(b, 32767.0))
v_cvt_pknorm_u16_f32 u32 f32 f32          : pack(unorm(a, 65535.0), unorm(b, 65535.0))
v_cvt_pk_norm_i16_f32 u32 f32 f32         : pack(snorm(a, 32767.0), snorm(b, 32767.0))
v_cvt_pk_norm_u16_f32 u32 f32 f32         : pack(unorm(a, 65535.0), unorm(b, 65535.0))
"""
"""``f32=`` is the result's register read before it is written."""
