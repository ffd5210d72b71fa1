#pragma once
// Measures how results change with the number of pairs, bins and examples, and with the seed: pure functions
// from tables of heads to one table.
#include <string>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

// The table heads of one run. Runs with the same `what` are compared with the marked one.
struct ConvergenceRun {
  std::string what;   // pairs, bins, examples, seed
  std::string value;  // value of the varied setting
  bool reference = false;
  Table heads;
};

// convergence: what, value, heads, and for each of ap_overall, ap_first20, ap_last20, ap_drop, bias_strength,
// plane_var_fraction, ap_aligned and ap_aligned_drop the mean over heads (NAME), the root of the mean square
// (NAME_rms) and the largest size (NAME_max) of the heads' differences from the reference run; heads counts
// those with an ap_overall. Heads without a value in one of both runs are left out of a difference.
Table convergenceTable(const std::vector<ConvergenceRun>& runs);

// 16, 32, ... below `most`, and `most`; 0 (every pair): 16 ... 4096, and 0.
std::vector<std::int64_t> pairSteps(std::int64_t most);
// Half, once and twice as many bins, without repeats.
std::vector<std::int64_t> binSteps(std::int64_t bins);
// Nested sets of examples: an eighth, a quarter, half and all of them (at least one), in random order. Own
// definition: ascending by mix64(combine(combine(combine(0x243F6A8885A308D3, mix64(seed)), mix64(0x65)),
// mix64(example))), so that the order depends on seed and example only.
std::vector<std::vector<std::int64_t>> exampleSteps(std::int64_t examples, std::uint64_t seed);

}  // namespace plastiscope
