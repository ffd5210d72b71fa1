#include "core/analysis/convergence.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/statistics.h"
#include "core/base/random.h"

namespace plastiscope {

namespace {

constexpr const char* kConvergenceColumns[] = {"ap_overall", "ap_first20",     "ap_last20",
                                               "ap_drop",    "bias_strength",  "plane_var_fraction",
                                               "ap_aligned", "ap_aligned_drop"};
constexpr std::int64_t kLeastSubsetPairs = 16, kMaxSubsetPairs = 4096;
constexpr std::uint64_t kSubsetPurpose = 0x65;  // 'e'

// The reference of the runs with one `what`; the run itself if none is marked.
const ConvergenceRun& referenceOf(const std::vector<ConvergenceRun>& runs, const ConvergenceRun& run) {
  for (const ConvergenceRun& other : runs) {
    if (other.what == run.what && other.reference) return other;
  }
  return run;
}

struct Difference {
  double rms = kMissing, largest = kMissing;
};

Difference differenceOf(const std::vector<double>& values, const std::vector<double>& reference) {
  std::vector<double> squares;
  for (std::size_t i = 0; i < values.size() && i < reference.size(); ++i) {
    const double apart = values[i] - reference[i];
    if (!std::isnan(apart)) squares.push_back(apart * apart);
  }
  if (squares.empty()) return {};
  return {std::sqrt(sumOf(squares) / static_cast<double>(squares.size())),
          std::sqrt(*std::max_element(squares.begin(), squares.end()))};
}

}  // namespace

Table convergenceTable(const std::vector<ConvergenceRun>& runs) {
  std::vector<Column> columns = {texts("what"), texts("value"), integers("heads")};
  for (const std::string name : kConvergenceColumns)
    for (const char* ending : {"", "_rms", "_max"}) columns.push_back(numbers(name + ending));
  TableBuilder table("convergence", std::move(columns));
  for (const ConvergenceRun& run : runs) {
    std::int64_t present = 0;
    meanOfPresent(run.heads.numbers(kConvergenceColumns[0]), &present);
    std::vector<Cell> row = {run.what, run.value, present};
    for (const char* name : kConvergenceColumns) {
      const std::vector<double>& values = run.heads.numbers(name);
      const Difference apart = differenceOf(values, referenceOf(runs, run).heads.numbers(name));
      row.insert(row.end(), {meanOfPresent(values), apart.rms, apart.largest});
    }
    table.row(row);
  }
  return table.take();
}

std::vector<std::int64_t> pairSteps(std::int64_t most) {
  std::vector<std::int64_t> steps;
  for (std::int64_t pairs = kLeastSubsetPairs; most == 0 ? pairs <= kMaxSubsetPairs : pairs < most;
       pairs *= 2)
    steps.push_back(pairs);
  steps.push_back(most);
  return steps;
}

std::vector<std::int64_t> binSteps(std::int64_t bins) {
  if (bins < 2) return {bins, 2 * bins};
  return {bins / 2, bins, 2 * bins};
}

std::vector<std::vector<std::int64_t>> exampleSteps(std::int64_t examples, std::uint64_t seed) {
  const std::uint64_t purpose = combine(combine(kSeedStart, mix64(seed)), mix64(kSubsetPurpose));
  const auto key = [&](std::int64_t example) {
    return mix64(combine(purpose, mix64(static_cast<std::uint64_t>(example))));
  };
  std::vector<std::int64_t> order(static_cast<std::size_t>(examples));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
  std::vector<std::vector<std::int64_t>> steps;
  for (const std::int64_t part : {8, 4, 2, 1}) {
    const auto count = static_cast<std::size_t>(
        std::max<std::int64_t>(std::min<std::int64_t>(1, examples), examples / part));
    if (!steps.empty() && steps.back().size() == count) continue;
    steps.emplace_back(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return steps;
}

}  // namespace plastiscope
