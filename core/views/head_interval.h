#pragma once
// 95 % intervals of means over heads, as views and figures show them.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/store/analysis_file.h"

namespace plastiscope {

// What was resampled for an interval: the examples of an analysis, its heads, or, of differences, the texts
// of both captures, alone or crossed with the heads.
enum class IntervalOver { None, Examples, Heads, ByTexts, ByTextsAndHeads };

// Student's interval of the mean of the values that are not missing; missing below two of them.
Interval intervalOverHeads(std::span<const double> values);
// COLUMN_low and COLUMN_high of a row; missing where the analysis has no bootstrap.
Interval intervalOverExamples(const Table& table, const std::string& column, std::size_t row);
bool hasIntervals(const Table& table, const std::string& column);
bool usesMedian(const std::string& column);  // true for slope_ratio, whose tail is heavy
// The column of the tables layers and model that holds what figures show over heads.
std::string centreColumn(const std::string& column);

// Of the mean (median for slope_ratio) of a column over all heads: over examples where the table model has
// it, else over heads; the median has none over heads.
IntervalOver modelIntervals(const AnalysisFile& analysis, const std::string& column);
// `values`: of the heads, NaN = missing; `over`: not more than modelIntervals.
Interval modelInterval(const AnalysisFile& analysis, std::span<const double> values,
                       const std::string& column, IntervalOver over);

// "examples", "heads", "texts", "texts and heads", "": as in tables of figures.
std::string nameOf(IntervalOver over);
// The same of what an interval was made over; "" without one.
std::string overName(const Interval& interval, IntervalOver over);
// A table of a figure without its columns of intervals.
Table withoutIntervals(Table table);
// How many examples the capture of an analysis has; 0 when it does not say.
std::int64_t exampleCount(const AnalysisFile& analysis);
// Resamples of a single example are all the same: their intervals say nothing.
inline bool canResample(const AnalysisFile& analysis) {
  return exampleCount(analysis) != 1;
}

}  // namespace plastiscope
