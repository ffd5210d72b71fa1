#pragma once
// Data layout and products of the attention kernels: stored numbers, panels of keys and values, products of
// strips of rows with panels. Everything has internal linkage, as in attention_tile.h.
#include <cstddef>
#include <cstdint>

namespace plastiscope {

namespace {

struct BFloat16 {
  std::uint16_t bits;
};

// ---- Stored numbers.

inline float floatOf(float number) {
  return number;
}
inline float floatOf(BFloat16 number) {
  const std::uint32_t bits = static_cast<std::uint32_t>(number.bits) << 16;
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

inline void storeFloat(float value, float* place) {
  *place = value;
}
// Rounds to nearest, ties to even.
inline void storeFloat(float value, BFloat16* place) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
  place->bits = static_cast<std::uint16_t>(value == value ? rounded : 0x7FC0U);
}

// Rows [from, to) of keys or values; others are not read and count as zeros.
template <typename Number>
struct StoredRows {
  const Number* begin;
  std::int64_t step, from, to, width;
  const Number* at(std::int64_t row) const { return row >= from && row < to ? begin + row * step : nullptr; }
};

// Word `index` of a row along its width; 0 beyond its end.
template <typename L, typename Number>
typename L::Word wordOf(const Number* row, std::int64_t index, std::int64_t width) {
  if constexpr (L::kNumbers == 2) {
    const std::int64_t i = 2 * index;
    const std::uint32_t low = i < width ? row[i].bits : 0, high = i + 1 < width ? row[i + 1].bits : 0;
    return low | high << 16;
  } else {
    return index < width ? floatOf(row[index]) : 0.0F;
  }
}

// Packs the kColumns keys from `first` on as a panel of [depth][kColumns] words.
template <typename L, typename Number>
void packKeyPanel(const StoredRows<Number>& rows, std::int64_t first, std::int64_t depth,
                  typename L::Word* panel) {
  for (std::int64_t column = 0; column < L::kColumns; ++column) {
    const Number* const row = rows.at(first + column);
    for (std::int64_t word = 0; word < depth; ++word)
      panel[word * L::kColumns + column] = row != nullptr ? wordOf<L>(row, word, rows.width) : 0;
  }
}

// Packs columns of the values from `column` on, for keys [first, first + L::kKeyBlock): [L::kKeyBlock or half
// of it][kColumns] words.
template <typename L, typename Number>
void packValuePanel(const StoredRows<Number>& rows, std::int64_t first, std::int64_t column,
                    typename L::Word* panel) {
  static constexpr Number kNothing[L::kColumns] = {};
  const std::int64_t left = rows.width - column;
  Number ends[2][L::kColumns];  // padded copies of rows that end within the panel
  const auto columnsOf = [&](std::int64_t key, Number* end) -> const Number* {
    const Number* const row = rows.at(key);
    if (row == nullptr) return kNothing;
    if (left >= L::kColumns) return row + column;
    for (std::int64_t j = 0; j < L::kColumns; ++j) end[j] = j < left ? row[column + j] : Number{};
    return end;
  };
  for (std::int64_t word = 0; word < L::kKeyBlock / L::kNumbers; ++word, panel += L::kColumns) {
    const std::int64_t key = first + word * L::kNumbers;
    const Number* const row = columnsOf(key, ends[0]);
    if constexpr (L::kNumbers == 2) {
      const Number* const next = columnsOf(key + 1, ends[1]);
      for (std::int64_t j = 0; j < L::kColumns; ++j)
        panel[j] = row[j].bits | static_cast<std::uint32_t>(next[j].bits) << 16;
    } else {
      for (std::int64_t j = 0; j < L::kColumns; ++j) panel[j] = floatOf(row[j]);
    }
  }
}

// ---- Product of a strip with a panel for vector levels: kMicroRows x kColumns sums in registers.

// sums[r][c] += product of a's rows (words at r * kRowStep + w * kWordStep) and panel b.
template <typename L, std::int64_t kRowStep, std::int64_t kWordStep>
[[gnu::always_inline]] inline void multiply(const typename L::Word* a, const typename L::Word* b,
                                            std::int64_t depth,
                                            typename L::Vector (&sums)[L::kMicroRows][2]) {
  for (std::int64_t word = 0; word < depth; ++word, a += kWordStep, b += L::kColumns) {
    const auto left = L::loadWords(b), right = L::loadWords(b + L::kWidth);
#pragma GCC unroll 16
    for (std::int64_t row = 0; row < L::kMicroRows; ++row) {
      const auto factor = L::repeatWord(a + row * kRowStep);
      sums[row][0] = L::multiplyAdd(factor, left, sums[row][0]);
      sums[row][1] = L::multiplyAdd(factor, right, sums[row][1]);
    }
  }
}

// Product of a strip and a panel over `depth` words: queries with keys, or weights with values.
template <typename Word>
struct PanelProduct {
  const Word *strip, *panel;
  std::int64_t depth;
  float* out;            // [kRows][kColumns]
  std::int64_t outStep;  // numbers between rows
};

template <typename L>
struct VectorLevel : L {
  using Product = PanelProduct<typename L::Word>;
  // Queries of a strip are stored as [depth][kRows]; if false, as [kRows][depth].
  static constexpr bool kQueriesByWord = true;

  static void scores(const Product& product) { multiplyInto<1, L::kRows, false>(product); }
  static void addValues(const Product& product) { multiplyInto<L::kScoreStep, 1, true>(product); }

 private:
  template <std::int64_t kRowStep, std::int64_t kWordStep, bool kAdds>
  static void multiplyInto(const Product& product) {
    for (std::int64_t first = 0; first < L::kRows; first += L::kMicroRows) {
      typename L::Vector sums[L::kMicroRows][2] = {};
      multiply<L, kRowStep, kWordStep>(product.strip + first * kRowStep, product.panel, product.depth, sums);
      for (std::int64_t row = 0; row < L::kMicroRows; ++row) {
        for (std::int64_t side = 0; side < 2; ++side) {
          float* const place = product.out + (first + row) * product.outStep + side * L::kWidth;
          L::store(place, kAdds ? L::add(L::load(place), sums[row][side]) : sums[row][side]);
        }
      }
    }
  }
};

}  // namespace

}  // namespace plastiscope
