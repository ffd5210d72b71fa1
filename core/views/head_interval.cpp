#include "core/views/head_interval.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/columns.h"
#include "core/base/json.h"
#include "core/views/study_facts.h"

namespace plastiscope {

Interval intervalOverHeads(std::span<const double> values) {
  std::int64_t count = 0;
  const double mean = meanOfPresent(values, &count);
  if (count < 2) return {};
  const auto n = static_cast<double>(count);
  const double error = std::sqrt(squaredDeviations(values, mean) / (n - 1) / n);
  const double half = studentQuantile(n - 1, 0.95) * error;
  return {mean - half, mean + half};
}

Interval intervalOverExamples(const Table& table, const std::string& column, std::size_t row) {
  return {numberAt(table, column + kLowEnding, row), numberAt(table, column + kHighEnding, row)};
}

bool hasIntervals(const Table& table, const std::string& column) {
  return table.find(column + kLowEnding) != nullptr && table.find(column + kHighEnding) != nullptr;
}

bool usesMedian(const std::string& column) {
  return isHeavyTailed(column);
}

std::string centreColumn(const std::string& column) {
  return usesMedian(column) ? column + kMedianEnding : column;
}

IntervalOver modelIntervals(const AnalysisFile& analysis, const std::string& column) {
  const Table* model = analysis.find("model");
  if (model != nullptr && model->rows() == 1 && canResample(analysis) &&
      hasIntervals(*model, centreColumn(column)))
    return IntervalOver::Examples;
  return usesMedian(column) ? IntervalOver::None : IntervalOver::Heads;
}

Interval modelInterval(const AnalysisFile& analysis, std::span<const double> values,
                       const std::string& column, IntervalOver over) {
  if (over == IntervalOver::Heads) return intervalOverHeads(values);
  const Table* model = analysis.find("model");
  if (over == IntervalOver::None || model == nullptr) return {};
  return intervalOverExamples(*model, centreColumn(column), 0);
}

std::string nameOf(IntervalOver over) {
  constexpr std::array kNames = {"", "examples", "heads", "texts", "texts and heads"};
  return kNames.at(static_cast<std::size_t>(over));
}

std::string overName(const Interval& interval, IntervalOver over) {
  return interval.known() ? nameOf(over) : "";
}

Table withoutIntervals(Table table) {
  std::erase_if(table.columns, [](const Column& column) {
    return column.name == "interval_over" || column.name.ends_with(kLowEnding) ||
           column.name.ends_with(kHighEnding);
  });
  return table;
}

std::int64_t exampleCount(const AnalysisFile& analysis) {
  const Json& capture = analysis.provenance.capture;
  if (!capture.is_object()) return 0;
  const auto found = capture.find("examples");
  return found != capture.end() && found->is_number_integer()
             ? std::max<std::int64_t>(0, found->get<std::int64_t>())
             : 0;
}

HeadSpread headSpread(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  std::ranges::sort(values);
  const auto at = [&values](double share) {
    return values.empty() ? std::nan("") : percentileOf(values, share);
  };
  return {at(0.05), at(0.25), at(0.5), at(0.75), at(0.95), static_cast<std::int64_t>(values.size())};
}

}  // namespace plastiscope
