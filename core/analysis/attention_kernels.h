#pragma once
// Attention of single queries with many keys in float32, for maps of long texts: scores, softmax, and sums
// over queries, a few queries at a time.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plastiscope {

inline constexpr std::int64_t kKeyPanel = 64;     // keys that lie together, dimension after dimension
inline constexpr std::int64_t kBlockQueries = 8;  // queries of a block of scores
constexpr std::int64_t paddedKeys(std::int64_t keys) {
  return (keys + kKeyPanel - 1) / kKeyPanel * kKeyPanel;
}

// keys [count, headDim] -> [panels, headDim, kKeyPanel], zeros behind the last key.
std::vector<float> keyPanels(std::span<const float> keys, std::int64_t headDim);

// All numbers of keys are multiples of kKeyPanel, rows of a block are `stride` apart.

// The first `count` of queries [headDim, kBlockQueries] with `keys` keys from `panels` on -> scores [count, stride].
void scorePanels(const float* queries, std::int64_t count, std::int64_t headDim, const float* panels,
                 std::int64_t keys, float* scores, std::int64_t stride);
// s -> cap tanh(s / cap)
void capScores(float* scores, std::int64_t keys, float cap);
float highestScore(const float* scores, std::int64_t keys);
// s -> exp(s - shift), zero for -infinity; returns their sum. Relative error below 4e-7 plus the rounding of
// s.
double exponentiate(float* scores, std::int64_t keys, float shift);
// Over the rows of a block: sum[k] += factor[r] x[r, k], most[k] = max(most[k], factor[r] x[r, k]); -infinity
// adds nothing. factor [kBlockQueries].
void gatherRows(const float* rows, std::int64_t keys, std::int64_t stride, const float* factor, float* sum,
                float* most);

}  // namespace plastiscope
