#pragma once
// 95 % intervals of means over heads and percentiles over heads, as views and figures show them.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/store/analysis_file.h"

namespace plastiscope {

// Resampled units of an interval: examples of an analysis, its heads, or, for differences, the texts of both
// captures, alone or crossed with the heads.
enum class IntervalOver { None, Examples, Heads, ByTexts, ByTextsAndHeads };

// Student's interval of the mean of the values that are not missing; missing below two of them.
Interval intervalOverHeads(std::span<const double> values);
// COLUMN_low and COLUMN_high of a row; missing where the analysis has no bootstrap.
Interval intervalOverExamples(const Table& table, const std::string& column, std::size_t row);
bool hasIntervals(const Table& table, const std::string& column);
bool usesMedian(const std::string& column);  // true for slope_ratio, whose tail is heavy
// Column of the tables layers and model with the value that figures show over heads (mean or median).
std::string centreColumn(const std::string& column);

// Kind of interval of the mean (median for slope_ratio) of a column over all heads: over examples where the
// table model has it, else over heads; medians have none over heads.
IntervalOver modelIntervals(const AnalysisFile& analysis, const std::string& column);
// `values`: one per head, NaN = missing; `over`: at most what modelIntervals returns.
Interval modelInterval(const AnalysisFile& analysis, std::span<const double> values,
                       const std::string& column, IntervalOver over);

// "examples", "heads", "texts", "texts and heads" or "", as in the tables of figures.
std::string nameOf(IntervalOver over);
// Name of the units behind an interval; "" without an interval.
std::string overName(const Interval& interval, IntervalOver over);
// A figure's table without its interval columns.
Table withoutIntervals(Table table);
// Number of examples in the capture of an analysis; 0 when unknown.
std::int64_t exampleCount(const AnalysisFile& analysis);
// False for a single example: all its resamples are equal, so intervals carry no information.
inline bool canResample(const AnalysisFile& analysis) {
  return exampleCount(analysis) != 1;
}

// Percentiles of a number over many heads, for bands instead of thousands of lines.
struct HeadSpread {
  double low5 = 0, low25 = 0, median = 0, high75 = 0, high95 = 0;  // NaN without any head
  std::int64_t heads = 0;                                          // heads with a value
};
// Ignores missing values.
HeadSpread headSpread(std::vector<double> values);

}  // namespace plastiscope
