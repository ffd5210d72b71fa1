#pragma once
// Body of all attention kernels. The rows of a task (positions times query heads of the group) are cut into
// strips, which pass block after block of keys and keep a running maximum, sum and weighted values in float32
// (Milakov and Gimelshein 2018; Dao et al. 2022). Key blocks begin at multiples of L::kKeyBlock, sums run
// over keys in order, masked keys add exact zeros: the bits of a row depend only on the kernel, not on strip,
// task, chunk or thread.
//
// A kernel is a level L: vectors of kWidth floats with a few operations, and products of strips with panels.
// Products read 32-bit words with kNumbers numbers along the summed dimension: one float, or two bfloat16.
// Including sources have different compiler flags: all code here has internal linkage, and no standard
// library code is called.
#include <cstddef>
#include <cstdint>

#include "core/forward/attention_kernel.h"

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

// Maxima over all levels.
inline constexpr std::int64_t kMaxRows = 32, kMaxColumns = 32, kMaxLanes = 16, kMaxKeys = 256;

// Score of a masked key, and maximum of a row before any key: finite, so that differences are numbers, and
// far enough apart that masked keys get weight 0 for every scale.
inline constexpr float kMaskedScore = -1e36F, kNothingSeen = -1e30F;
inline constexpr float kLog2E = 1.44269504F;

constexpr std::int64_t roundUp(std::int64_t n, std::int64_t unit) {
  return (n + unit - 1) / unit * unit;
}

// The oldest key visible to a query; the newest is its own.
inline std::int64_t oldestKey(const AttentionTask& task, std::int64_t position) {
  if (task.window <= 0) return 0;
  if (task.chunked) return position / task.window * task.window;
  return position < task.window ? 0 : position - task.window + 1;
}

// ---- Functions of vectors.

// 2^x for x < 127: minimax polynomial for the fraction in [0, 1) that is exactly 1 at 0. Relative error for
// degree 5: 8.3e-8, with rounding less than 2 ulp; for degree 3: 8.6e-5, a twentieth of bfloat16's rounding
// error. Returns 0 for very small x.
template <typename L, int kDegree>
[[gnu::always_inline]] inline typename L::Vector powerOfTwo(typename L::Vector x) {
  using V = typename L::Vector;
  x = L::atLeastForPower(x);
  const V f = L::fraction(x);
  V p;
  if constexpr (kDegree == 3) {
    p = L::fma(L::set(0.0770670473F), f, L::set(0.227644995F));
    p = L::fma(p, f, L::set(0.695116758F));
  } else {
    p = L::fma(L::set(0.00186713145F), f, L::set(0.00901702512F));
    p = L::fma(p, f, L::set(0.0557999201F));
    p = L::fma(p, f, L::set(0.240164444F));
    p = L::fma(p, f, L::set(0.693151295F));
  }
  return L::timesPower(L::fma(p, f, L::set(1.0F)), x);
}

// An odd polynomial near 0 (Cephes), else 1 - 2 / (e^2x + 1); error below 4 ulp.
template <typename L>
[[gnu::always_inline]] inline typename L::Vector hyperbolicTangent(typename L::Vector x) {
  using V = typename L::Vector;
  const V zero = L::set(0.0F), one = L::set(1.0F), size = L::max(x, L::sub(zero, x));
  // tanh(x) is 1 from 10 on.
  const V capped = L::whereLess(size, L::set(10.0F), size, L::set(10.0F));
  const V power = powerOfTwo<L, 5>(L::mul(capped, L::set(2 * kLog2E)));
  const V far = L::sub(one, L::div(L::set(2.0F), L::add(power, one)));
  const V z = L::mul(x, x);
  V p = L::fma(L::set(-5.70498872745E-3F), z, L::set(2.06390887954E-2F));
  p = L::fma(p, z, L::set(-5.37397155531E-2F));
  p = L::fma(p, z, L::set(1.33314422036E-1F));
  p = L::fma(p, z, L::set(-3.33332819422E-1F));
  const V near = L::fma(L::mul(p, z), x, x);
  return L::whereLess(size, L::set(0.625F), near, L::whereLess(x, zero, L::sub(zero, far), far));
}

// ---- Scratch memory of a task.

class ScratchSizes {
 public:
  ScratchSizes(std::int64_t rows, std::int64_t width)
      : strips(roundUp(rows, 96)),  // multiple of 24 and of 32 rows
        columns(roundUp(width, kMaxColumns)) {}
  std::int64_t strips, columns;
  std::int64_t queries() const { return strips * columns; }
  std::int64_t panels() const { return kMaxKeys * columns; }
  std::int64_t scores() const { return kMaxRows * (kMaxKeys + 16); }
  std::int64_t lanes() const { return strips * kMaxLanes; }
  std::int64_t words() const { return 2 * queries() + 2 * panels() + scores() + lanes() + strips; }
};

// ---- The kernel body.

template <typename L, typename Number>
class AttentionTile {
  using Vector = typename L::Vector;
  using Word = typename L::Word;
  using Product = PanelProduct<Word>;
  static constexpr std::int64_t kNumbers = L::kNumbers;

 public:
  AttentionTile(const AttentionTask& task, std::byte* scratch)
      : m_task(task),
        m_rows(task.rows * task.group),
        m_strips(roundUp(m_rows, L::kRows)),
        m_depth(roundUp((task.width + kNumbers - 1) / kNumbers, L::kDepthUnit)),
        m_columns(roundUp(task.width, L::kColumns)),
        m_factor(task.softcap > 0 ? kLog2E : task.scale * kLog2E) {
    const ScratchSizes sizes(m_rows, task.width);
    auto* place = reinterpret_cast<float*>(scratch);
    const auto take = [&place](std::int64_t count) {
      float* const taken = place;
      place += count;
      return taken;
    };
    m_queries = reinterpret_cast<Word*>(take(sizes.queries()));
    m_out = take(sizes.queries());
    m_keys = reinterpret_cast<Word*>(take(sizes.panels()));
    m_values = reinterpret_cast<Word*>(take(sizes.panels()));
    m_scores = take(sizes.scores());
    m_sums = take(sizes.lanes());
    m_top = take(sizes.strips);
  }

  bool run(const AttentionWatch& watch) {
    begin();
    const std::int64_t oldest = oldestKey(m_task, positionOf(0)), end = positionOf(m_rows) + 1;
    for (std::int64_t block = oldest / L::kKeyBlock * L::kKeyBlock; block < end; block += L::kKeyBlock) {
      if (!watch.goesOn(watch.context)) return false;
      pack(block, oldest, end);
      for (std::int64_t strip = 0; strip < m_strips; strip += L::kRows) attend(strip, block);
    }
    write();
    return true;
  }

 private:
  std::int64_t positionOf(std::int64_t row) const {
    const std::int64_t place = (row < m_rows ? row : m_rows - 1) / m_task.group;
    return m_task.positions != nullptr ? m_task.positions[place] : m_task.first + place;
  }

  void begin() {
    for (std::int64_t row = 0; row < m_strips; ++row) {
      const std::int64_t strip = row / L::kRows * L::kRows, inside = row - strip;
      const std::int64_t head = row % m_task.group;
      const Number* const query = static_cast<const Number*>(m_task.query) +
                                  row / m_task.group * m_task.queryStep + head * m_task.queryHeadStep;
      Word* const words = m_queries + strip * m_depth + (L::kQueriesByWord ? inside : inside * m_depth);
      constexpr std::int64_t kStep = L::kQueriesByWord ? L::kRows : 1;
      const std::int64_t whole = row < m_rows ? m_task.width / kNumbers : 0;
      for (std::int64_t i = 0; i < whole; ++i) words[i * kStep] = wordOf<L>(query, i, kNumbers * whole);
      for (std::int64_t i = whole; i < m_depth; ++i)
        words[i * kStep] = row < m_rows ? wordOf<L>(query, i, m_task.width) : 0;
      for (std::int64_t i = 0; i < m_columns; ++i) m_out[row * m_columns + i] = 0;
      const float sink = m_task.sinks != nullptr ? m_task.sinks[head] * kLog2E : kNothingSeen;
      const bool counts = sink > kNothingSeen;
      m_top[row] = counts ? sink : kNothingSeen;
      for (std::int64_t i = 0; i < L::kWidth; ++i) m_sums[row * L::kWidth + i] = 0;
      if (counts) m_sums[row * L::kWidth] = 1;
    }
  }

  void pack(std::int64_t block, std::int64_t oldest, std::int64_t end) {
    const StoredRows<Number> keys{static_cast<const Number*>(m_task.keys), m_task.keyStep, oldest, end,
                                  m_task.width};
    const StoredRows<Number> values{static_cast<const Number*>(m_task.values), m_task.valueStep, oldest, end,
                                    m_task.width};
    for (std::int64_t column = 0; column < L::kKeyBlock; column += L::kColumns)
      L::packKeys(keys, block + column, m_depth, m_keys + column * m_depth);
    for (std::int64_t column = 0; column < m_columns; column += L::kColumns)
      packValuePanel<L>(values, block, column, m_values + column * L::kKeyBlock / kNumbers);
  }

  // Columns of a block visible to any row of a strip, in whole panels, relative to the start of the block.
  struct Columns {
    std::int64_t from, to;
  };

  void attend(std::int64_t strip, std::int64_t block) {
    const std::int64_t oldest = oldestKey(m_task, positionOf(strip)) - block;
    const std::int64_t newest = positionOf(strip + L::kRows - 1) - block;
    if (newest < 0 || oldest >= L::kKeyBlock) return;
    const Columns columns{oldest < 0 ? 0 : oldest / L::kColumns * L::kColumns,
                          newest < L::kKeyBlock ? roundUp(newest + 1, L::kColumns) : L::kKeyBlock};
    for (std::int64_t column = columns.from; column < columns.to; column += L::kColumns)
      L::scores({m_queries + strip * m_depth, m_keys + column * m_depth, m_depth, m_scores + column,
                 L::kScoreStep});
    if (m_task.softcap > 0) cap(columns);
    mask(strip, block, columns);
    if (columns.to - columns.from == L::kKeyBlock) {
      weigh<true>(strip, columns);
    } else {
      weigh<false>(strip, columns);
    }
    const auto* const weights = reinterpret_cast<const Word*>(m_scores) + columns.from / kNumbers;
    for (std::int64_t column = 0; column < m_columns; column += L::kColumns) {
      const Word* const panel = m_values + (column * L::kKeyBlock + columns.from * L::kColumns) / kNumbers;
      L::addValues({weights, panel, (columns.to - columns.from) / kNumbers,
                    m_out + strip * m_columns + column, m_columns});
    }
  }

  void cap(const Columns& columns) {
    const Vector scale = L::set(m_task.scale / m_task.softcap), cap = L::set(m_task.softcap);
    for (std::int64_t row = 0; row < L::kRows; ++row) {
      for (std::int64_t i = columns.from; i < columns.to; i += L::kWidth) {
        float* const place = m_scores + row * L::kScoreStep + i;
        L::store(place, L::mul(cap, hyperbolicTangent<L>(L::mul(L::load(place), scale))));
      }
    }
  }

  void mask(std::int64_t strip, std::int64_t block, const Columns& columns) {
    const std::int64_t last = positionOf(strip + L::kRows - 1);
    const bool all = block + columns.to <= positionOf(strip) + 1;
    if (all && block + columns.from >= oldestKey(m_task, last)) return;
    for (std::int64_t row = 0; row < L::kRows; ++row) {
      const std::int64_t position = positionOf(strip + row);
      float* const scores = m_scores + row * L::kScoreStep;
      const std::int64_t from = oldestKey(m_task, position) - block, to = position + 1 - block;
      for (std::int64_t i = columns.from; i < from && i < columns.to; ++i) scores[i] = kMaskedScore;
      for (std::int64_t i = to > columns.from ? to : columns.from; i < columns.to; ++i)
        scores[i] = kMaskedScore;
    }
  }

  // Replaces the scores of a strip by weights: 2^(score * factor - maximum).
  template <bool kWholeBlock>
  [[gnu::noinline]] void weigh(std::int64_t strip, const Columns& columns) {
    const std::int64_t count = kWholeBlock ? L::kKeyBlock : columns.to - columns.from, width = m_columns;
    const Vector factor = L::set(m_factor);
    float *scores = m_scores + columns.from, *weights = m_scores + columns.from / kNumbers;
    float *total = m_sums + strip * L::kWidth, *top = m_top + strip, *out = m_out + strip * width;
    for (std::int64_t row = 0; row < L::kRows; ++row) {
      Vector most = L::load(scores), other = L::load(scores + L::kWidth);
#pragma GCC unroll 4
      for (std::int64_t i = L::kColumns; i < count; i += L::kColumns) {
        most = L::max(most, L::load(scores + i));
        other = L::max(other, L::load(scores + i + L::kWidth));
      }
      most = L::mul(L::max(most, other), factor);
      Vector sum = L::load(total);
      if (L::anyAbove(most, L::set(*top))) {
        const float before = *top;
        *top = L::largest(most);
        const Vector kept = powerOfTwo<L, 5>(L::set(before - *top));
        sum = L::mul(sum, kept);
        for (std::int64_t i = 0; i < width; i += L::kWidth) L::store(out + i, L::mul(L::load(out + i), kept));
      }
      const Vector less = L::set(-*top);
#pragma GCC unroll 4
      for (std::int64_t i = 0; i < count; i += L::kColumns) {
        const Vector left = powerOfTwo<L, L::kDegree>(L::fma(L::load(scores + i), factor, less));
        const Vector right = powerOfTwo<L, L::kDegree>(L::fma(L::load(scores + i + L::kWidth), factor, less));
        sum = L::add(sum, L::add(left, right));
        L::storeWeights(weights + i / kNumbers, left, right);
      }
      L::store(total, sum);
      scores += L::kScoreStep;
      weights += L::kScoreStep;
      total += L::kWidth;
      top += 1;
      out += width;
    }
  }

  void write() const {
    for (std::int64_t row = 0; row < m_rows; ++row) {
      float total = 0;
      for (std::int64_t i = 0; i < L::kWidth; ++i) total += m_sums[row * L::kWidth + i];
      const float share = 1 / total;
      Number* const out = static_cast<Number*>(m_task.out) + row / m_task.group * m_task.outStep +
                          row % m_task.group * m_task.width;
      for (std::int64_t i = 0; i < m_task.width; ++i) storeFloat(m_out[row * m_columns + i] * share, out + i);
    }
  }

  const AttentionTask& m_task;
  std::int64_t m_rows, m_strips, m_depth, m_columns;
  float m_factor;  // converts scores (capped: in units of the cap) to exponents of 2
  Word *m_queries, *m_keys, *m_values;
  float *m_out, *m_scores, *m_sums, *m_top;
};

template <typename L, typename Number>
bool attendTask(const AttentionTask& task, std::byte* scratch, const AttentionWatch& watch) {
  return AttentionTile<L, Number>(task, scratch).run(watch);
}

}  // namespace

// The kernels; each is compiled from its own source with its own flags.
#if defined(__x86_64__)
extern const AttentionKernel kAmxAttention, kAvx512Bf16Attention, kAvx512Attention, kAvx2Attention;
#endif
extern const AttentionKernel kPortableAttention;

}  // namespace plastiscope
