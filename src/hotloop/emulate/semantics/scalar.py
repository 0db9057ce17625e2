"""The scalar unit's plain instructions: result type, operand types, expression of a and b, and what SCC becomes.

`d` is the old result, `r` the new one, `scc` the old condition as 0 or 1. A row without result type ``-`` sets SCC only.
Sources: AMD's ISA references, sections "SOP1", "SOP2", "SOPC" and "SOPK instructions".
"""

from __future__ import annotations

TABLE = """
s_mov_b32            u32 u32              : a
s_mov_b64            u64 u64              : a
s_movk_i32           i32 k16              : a
s_not_b32            u32 u32              : ~a                               ; r != 0
s_not_b64            u64 u64              : ~a                               ; r != 0
s_brev_b32           u32 u32              : reverse(a)
s_brev_b64           u64 u64              : reverse(a)
s_cmov_b32           u32 u32              : select(scc != 0, a, d)
s_cmov_b64           u64 u64              : select(scc != 0, a, d)
s_abs_i32            i32 i32              : select(a < 0, -a, a)             ; r != 0
s_bcnt0_i32_b32      u32 u32              : popcount(~a)                     ; r != 0
s_bcnt1_i32_b32      u32 u32              : popcount(a)                      ; r != 0
s_bcnt0_i32_b64      u32 u64              : popcount(~a)                     ; r != 0
s_bcnt1_i32_b64      u32 u64              : popcount(a)                      ; r != 0
s_ff1_i32_b32        i32 u32              : ctz(a)
s_ctz_i32_b32        i32 u32              : ctz(a)
s_ff1_i32_b64        i32 u64              : ctz64(a)
s_ctz_i32_b64        i32 u64              : ctz64(a)
s_flbit_i32_b32      i32 u32              : clz(a)
s_clz_i32_u32        i32 u32              : clz(a)
s_flbit_i32_b64      i32 u64              : clz64(a)
s_clz_i32_u64        i32 u64              : clz64(a)
s_flbit_i32          i32 i32              : cls(a)
s_cls_i32            i32 i32              : cls(a)
s_sext_i32_i8        i32 i32              : (a << 24) >> 24
s_sext_i32_i16       i32 i32              : (a << 16) >> 16
s_bitset0_b32        u32 u32              : d & ~(u32(1) << (a & 31))
s_bitset1_b32        u32 u32              : d | (u32(1) << (a & 31))
s_bitset0_b64        u64 u32              : d & ~(u64(1) << u64(a & 63))
s_bitset1_b64        u64 u32              : d | (u64(1) << u64(a & 63))
s_ff0_i32_b32        i32 u32              : ctz(~a)
s_ff0_i32_b64        i32 u64              : ctz64(~a)
s_flbit_i32_i64      i32 i64              : clz64(u64(a ^ (a >> 63)))
s_cls_i32_i64        i32 i64              : clz64(u64(a ^ (a >> 63)))
s_wqm_b32            u32 u32              : ((a | (a >> 1) | (a >> 2) | (a >> 3)) & 286331153) * 15 ; r != 0
s_wqm_b64            u64 u64              : ((a | (a >> u64(1)) | (a >> u64(2)) | (a >> u64(3))) & u64(1229782938247303441)) * u64(15) ; r != 0
s_quadmask_b32       u32 u32              : u32(quadmask(u64(a)))            ; r != 0
s_quadmask_b64       u64 u64              : quadmask(a)                      ; r != 0
s_bitreplicate_b64_b32 u64 u32            : replicate(a)
s_add_u32            u32 u32 u32          : a + b                            ; r < a
s_add_co_u32         u32 u32 u32          : a + b                            ; r < a
s_sub_u32            u32 u32 u32          : a - b                            ; a < b
s_sub_co_u32         u32 u32 u32          : a - b                            ; a < b
s_add_i32            i32 i32 i32          : a + b                            ; ((a ^ r) & (b ^ r)) < 0
s_add_co_i32         i32 i32 i32          : a + b                            ; ((a ^ r) & (b ^ r)) < 0
s_sub_i32            i32 i32 i32          : a - b                            ; ((a ^ b) & (a ^ r)) < 0
s_sub_co_i32         i32 i32 i32          : a - b                            ; ((a ^ b) & (a ^ r)) < 0
s_addc_u32           u32 u32 u32          : a + b + u32(scc)                 ; u64(a) + u64(b) + u64(scc) > u64(4294967295)
s_add_co_ci_u32      u32 u32 u32          : a + b + u32(scc)                 ; u64(a) + u64(b) + u64(scc) > u64(4294967295)
s_subb_u32           u32 u32 u32          : a - b - u32(scc)                 ; u64(b) + u64(scc) > u64(a)
s_sub_co_ci_u32      u32 u32 u32          : a - b - u32(scc)                 ; u64(b) + u64(scc) > u64(a)
s_add_u64            u64 u64 u64          : a + b
s_add_nc_u64         u64 u64 u64          : a + b
s_sub_u64            u64 u64 u64          : a - b
s_sub_nc_u64         u64 u64 u64          : a - b
s_mul_u64            u64 u64 u64          : a * b
s_addk_i32           i32 k16              : d + a                            ; ((d ^ r) & (a ^ r)) < 0
s_addk_co_i32        i32 k16              : d + a                            ; ((d ^ r) & (a ^ r)) < 0
s_mulk_i32           i32 k16              : d * a
s_cmovk_i32          i32 k16              : select(scc != 0, a, d)
s_mul_i32            i32 i32 i32          : a * b
s_mul_hi_u32         u32 u32 u32          : umulhi(a, b)
s_mul_hi_i32         i32 i32 i32          : imulhi(a, b)
s_min_i32            i32 i32 i32          : minimum(a, b)                    ; a < b
s_max_i32            i32 i32 i32          : maximum(a, b)                    ; a > b
s_min_u32            u32 u32 u32          : minimum(a, b)                    ; a < b
s_max_u32            u32 u32 u32          : maximum(a, b)                    ; a > b
s_and_b32            u32 u32 u32          : a & b                            ; r != 0
s_and_b64            u64 u64 u64          : a & b                            ; r != 0
s_or_b32             u32 u32 u32          : a | b                            ; r != 0
s_or_b64             u64 u64 u64          : a | b                            ; r != 0
s_xor_b32            u32 u32 u32          : a ^ b                            ; r != 0
s_xor_b64            u64 u64 u64          : a ^ b                            ; r != 0
s_andn2_b32          u32 u32 u32          : a & ~b                           ; r != 0
s_andn2_b64          u64 u64 u64          : a & ~b                           ; r != 0
s_and_not1_b32       u32 u32 u32          : a & ~b                           ; r != 0
s_and_not1_b64       u64 u64 u64          : a & ~b                           ; r != 0
s_orn2_b32           u32 u32 u32          : a | ~b                           ; r != 0
s_orn2_b64           u64 u64 u64          : a | ~b                           ; r != 0
s_or_not1_b32        u32 u32 u32          : a | ~b                           ; r != 0
s_or_not1_b64        u64 u64 u64          : a | ~b                           ; r != 0
s_nand_b32           u32 u32 u32          : ~(a & b)                         ; r != 0
s_nand_b64           u64 u64 u64          : ~(a & b)                         ; r != 0
s_nor_b32            u32 u32 u32          : ~(a | b)                         ; r != 0
s_nor_b64            u64 u64 u64          : ~(a | b)                         ; r != 0
s_xnor_b32           u32 u32 u32          : ~(a ^ b)                         ; r != 0
s_xnor_b64           u64 u64 u64          : ~(a ^ b)                         ; r != 0
s_lshl_b32           u32 u32 u32          : a << (b & 31)                    ; r != 0
s_lshr_b32           u32 u32 u32          : a >> (b & 31)                    ; r != 0
s_ashr_i32           i32 i32 i32          : a >> (b & 31)                    ; r != 0
s_lshl_b64           u64 u64 u32          : a << u64(b & 63)                 ; r != 0
s_lshr_b64           u64 u64 u32          : a >> u64(b & 63)                 ; r != 0
s_ashr_i64           i64 i64 i32          : a >> i64(b & 63)                 ; r != 0
s_lshl1_add_u32      u32 u32 u32          : (a << 1) + b                     ; (u64(a) << u64(1)) + u64(b) > u64(4294967295)
s_lshl2_add_u32      u32 u32 u32          : (a << 2) + b                     ; (u64(a) << u64(2)) + u64(b) > u64(4294967295)
s_lshl3_add_u32      u32 u32 u32          : (a << 3) + b                     ; (u64(a) << u64(3)) + u64(b) > u64(4294967295)
s_lshl4_add_u32      u32 u32 u32          : (a << 4) + b                     ; (u64(a) << u64(4)) + u64(b) > u64(4294967295)
s_bfe_u32            u32 u32 u32          : field_u(a, b)                    ; r != 0
s_bfe_i32            i32 i32 u32          : field_i(a, b)                    ; r != 0
s_bfe_u64            u64 u64 u32          : field_u64(a, b)                  ; r != 0
s_bfe_i64            i64 i64 u32          : field_i64(a, b)                  ; r != 0
s_bfm_b32            u32 u32 u32          : ((u32(1) << (a & 31)) - 1) << (b & 31)
s_bfm_b64            u64 u32 u32          : ((u64(1) << u64(a & 63)) - u64(1)) << u64(b & 63)
s_cselect_b32        u32 u32 u32          : select(scc != 0, a, b)
s_cselect_b64        u64 u64 u64          : select(scc != 0, a, b)
s_absdiff_i32        i32 i32 i32          : select(a - b < 0, b - a, a - b)  ; r != 0
s_pack_ll_b32_b16    u32 u32 u32          : (a & 65535) | (b << 16)
s_pack_lh_b32_b16    u32 u32 u32          : (a & 65535) | (b & 4294901760)
s_pack_hh_b32_b16    u32 u32 u32          : (a >> 16) | (b & 4294901760)
s_pack_hl_b32_b16    u32 u32 u32          : (a >> 16) | (b << 16)
s_bitcmp0_b32        - u32 u32            : 0                                ; (a >> (b & 31) & 1) == 0
s_bitcmp1_b32        - u32 u32            : 0                                ; (a >> (b & 31) & 1) == 1
s_bitcmp0_b64        - u64 u32            : 0                                ; (a >> u64(b & 63) & u64(1)) == 0
s_bitcmp1_b64        - u64 u32            : 0                                ; (a >> u64(b & 63) & u64(1)) == 1
s_cvt_f32_i32        f32 i32              : f32(a)
s_cvt_f32_u32        f32 u32              : f32(a)
s_cvt_i32_f32        i32 f32              : to_signed(a)
s_cvt_u32_f32        u32 f32              : to_unsigned(a)
s_cvt_f32_f16        f32 f16              : f32(a)
s_add_f32            f32 f32 f32          : a + b
s_sub_f32            f32 f32 f32          : a - b
s_mul_f32            f32 f32 f32          : a * b
s_min_f32            f32 f32 f32          : fmin(a, b)
s_max_f32            f32 f32 f32          : fmax(a, b)
s_min_num_f32        f32 f32 f32          : fmin(a, b)
s_max_num_f32        f32 f32 f32          : fmax(a, b)
s_fmac_f32           f32 f32 f32          : fma32(a, b, d)
s_fmamk_f32          f32 f32 f32 f32      : fma32(a, b, c)
s_fmaak_f32          f32 f32 f32 f32      : fma32(a, b, c)
s_trunc_f32          f32 f32              : trunc(a)
s_ceil_f32           f32 f32              : ceil(a)
s_floor_f32          f32 f32              : floor(a)
s_rndne_f32          f32 f32              : rint(a)
s_cvt_f16_f32        f16 f32              : to_half(a)
s_cvt_hi_f32_f16     f32 u32              : f32(half_of(u16(a >> 16)))
s_cvt_pk_rtz_f16_f32 u32 f32 f32          : pack(towards_zero(a), towards_zero(b))
s_minimum_f32        f32 f32 f32          : minimum(a, b)
s_maximum_f32        f32 f32 f32          : maximum(a, b)
s_add_f16            f16 f16 f16          : a + b
s_sub_f16            f16 f16 f16          : a - b
s_mul_f16            f16 f16 f16          : a * b
s_min_f16            f16 f16 f16          : fmin(a, b)
s_max_f16            f16 f16 f16          : fmax(a, b)
s_min_num_f16        f16 f16 f16          : fmin(a, b)
s_max_num_f16        f16 f16 f16          : fmax(a, b)
s_minimum_f16        f16 f16 f16          : minimum(a, b)
s_maximum_f16        f16 f16 f16          : maximum(a, b)
s_fmac_f16           f16 f16 f16          : fma16(a, b, d)
s_trunc_f16          f16 f16              : trunc(a)
s_ceil_f16           f16 f16              : ceil(a)
s_floor_f16          f16 f16              : floor(a)
s_rndne_f16          f16 f16              : rint(a)
v_s_exp_f32          f32 f32              : exp2f(a)
v_s_log_f32          f32 f32              : log2f(a)
v_s_rcp_f32          f32 f32              : rcp(a)
v_s_rsq_f32          f32 f32              : rsq(a)
v_s_sqrt_f32         f32 f32              : sqrtf(a)
v_s_exp_f16          f16 f16              : exp16(a)
v_s_log_f16          f16 f16              : log16(a)
v_s_rcp_f16          f16 f16              : rcp16(a)
v_s_rsq_f16          f16 f16              : rsq16(a)
v_s_sqrt_f16         f16 f16              : sqrt16(a)
"""
