#pragma once
// Shared code of the AVX-512 kernels. Include in sources compiled for AVX-512 only.
#if defined(__AVX512F__) && defined(__AVX512BW__)
#include <immintrin.h>

#include "core/forward/attention_tile.h"

namespace plastiscope {

namespace {

struct Avx512Vectors {
  using Vector = __m512;
  static constexpr std::int64_t kWidth = 16, kColumns = 32;

  static Vector set(float x) { return _mm512_set1_ps(x); }
  static Vector load(const float* place) { return _mm512_loadu_ps(place); }
  static void store(float* place, Vector x) { _mm512_storeu_ps(place, x); }
  static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  static Vector sub(Vector a, Vector b) { return _mm512_sub_ps(a, b); }
  static Vector mul(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
  static Vector div(Vector a, Vector b) { return _mm512_div_ps(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
  static Vector max(Vector a, Vector b) { return _mm512_max_ps(a, b); }
  static Vector whereLess(Vector a, Vector b, Vector yes, Vector no) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), no, yes);
  }
  static bool anyAbove(Vector a, Vector b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ) != 0; }
  static float largest(Vector x) { return _mm512_reduce_max_ps(x); }
  static Vector atLeastForPower(Vector x) { return x; }
  static Vector fraction(Vector x) { return _mm512_reduce_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
  static Vector timesPower(Vector p, Vector x) { return _mm512_scalef_ps(p, x); }  // p * 2^floor(x)
};

// ---- Sixteen words of a row from word `index` on, padded with zeros.

inline std::uint32_t lowBits(std::int64_t count) {
  return count >= 32 ? ~std::uint32_t{0} : count <= 0 ? 0 : (std::uint32_t{1} << count) - 1;
}
inline __m512i floatWords(const float* row, std::int64_t index, std::int64_t width) {
  return _mm512_maskz_loadu_epi32(static_cast<__mmask16>(lowBits(width - index)), row + index);
}
inline __m512i floatWords(const BFloat16* row, std::int64_t index, std::int64_t width) {
  const __m512i numbers = _mm512_maskz_loadu_epi16(lowBits(width - index) & 0xFFFFU, row + index);
  return _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(numbers)), 16);
}
inline __m512i pairWords(const BFloat16* row, std::int64_t index, std::int64_t width) {
  return _mm512_maskz_loadu_epi16(lowBits(width - 2 * index), row + 2 * index);
}

// Transposes words [row][column] to [column][row].
inline void transpose(__m512i (&words)[16]) {
  __m512i half[16];
  for (int i = 0; i < 16; i += 2) {
    half[i] = _mm512_unpacklo_epi32(words[i], words[i + 1]);
    half[i + 1] = _mm512_unpackhi_epi32(words[i], words[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {  // words[i + c]: column c of each 128-bit lane, for four rows
    words[i] = _mm512_unpacklo_epi64(half[i], half[i + 2]);
    words[i + 1] = _mm512_unpackhi_epi64(half[i], half[i + 2]);
    words[i + 2] = _mm512_unpacklo_epi64(half[i + 1], half[i + 3]);
    words[i + 3] = _mm512_unpackhi_epi64(half[i + 1], half[i + 3]);
  }
  for (int i = 0; i < 4; ++i) {
    const __m512i a = _mm512_shuffle_i32x4(words[i], words[i + 4],
                                           0x88);                          // lanes 0 and 2 of both
    const __m512i b = _mm512_shuffle_i32x4(words[i], words[i + 4], 0xDD);  // lanes 1 and 3
    const __m512i c = _mm512_shuffle_i32x4(words[i + 8], words[i + 12], 0x88);
    const __m512i d = _mm512_shuffle_i32x4(words[i + 8], words[i + 12], 0xDD);
    half[i] = _mm512_shuffle_i32x4(a, c, 0x88);
    half[i + 8] = _mm512_shuffle_i32x4(a, c, 0xDD);
    half[i + 4] = _mm512_shuffle_i32x4(b, d, 0x88);
    half[i + 12] = _mm512_shuffle_i32x4(b, d, 0xDD);
  }
  for (int i = 0; i < 16; ++i) words[i] = half[i];
}

template <int kNumbers, typename Number, typename Word>
void packKeysTransposed(const StoredRows<Number>& rows, std::int64_t first, std::int64_t depth, Word* panel) {
  constexpr std::int64_t kColumns = Avx512Vectors::kColumns;
  for (std::int64_t column = 0; column < kColumns; column += 16) {
    for (std::int64_t word = 0; word < depth; word += 16) {
      __m512i words[16];
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) {
        const Number* const row = rows.at(first + column + i);
        if constexpr (kNumbers == 2) {
          words[i] = row != nullptr ? pairWords(row, word, rows.width) : _mm512_setzero_si512();
        } else {
          words[i] = row != nullptr ? floatWords(row, word, rows.width) : _mm512_setzero_si512();
        }
      }
      transpose(words);
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) {
        if (word + i < depth) _mm512_storeu_si512(panel + (word + i) * kColumns + column, words[i]);
      }
    }
  }
}

// float32 products.
struct Avx512Floats : Avx512Vectors {
  using Word = float;
  static constexpr std::int64_t kNumbers = 1, kRows = 24, kMicroRows = 12, kDepthUnit = 1;
  static constexpr int kDegree = 5;
  static constexpr std::int64_t kKeyBlock = 256, kScoreStep = kKeyBlock + 16;

  static __m512 loadWords(const float* place) { return load(place); }
  static __m512 repeatWord(const float* place) { return _mm512_set1_ps(*place); }
  static __m512 multiplyAdd(__m512 a, __m512 b, __m512 c) { return fma(a, b, c); }
  static void storeWeights(float* place, Vector left, Vector right) {
    store(place, left);
    store(place + kWidth, right);
  }
  template <typename Number>
  static void packKeys(const StoredRows<Number>& rows, std::int64_t first, std::int64_t depth, float* panel) {
    packKeysTransposed<1>(rows, first, depth, panel);
  }
};

#if defined(__AVX512BF16__)
// bfloat16 products: weights and keys in pairs.
struct Avx512Pairs : Avx512Vectors {
  using Word = std::uint32_t;
  static constexpr std::int64_t kNumbers = 2;
  static constexpr int kDegree = 3;

  static void storeWeights(float* place, Vector left, Vector right) {
    _mm512_storeu_si512(place, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(right, left)));
  }
  static void packKeys(const StoredRows<BFloat16>& rows, std::int64_t first, std::int64_t depth,
                       Word* panel) {
    packKeysTransposed<2>(rows, first, depth, panel);
  }
};
#endif

}  // namespace

}  // namespace plastiscope
#endif
