#include "core/views/softmax_data.h"

#include <algorithm>
#include <map>

#include "core/analysis/columns.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr const char* kNeedsDense = "softmax by position needs heads captured at every position (--dense)";

// Value of one head with its interval over examples, or the mean of several with theirs over heads.
void addBin(SoftmaxCurve& curve, const Table& table, const char* column, const std::vector<std::size_t>& rows,
            IntervalOver over) {
  std::vector<double> values;
  for (const std::size_t row : rows) values.push_back(numberAt(table, column, row));
  Interval interval;
  if (over == IntervalOver::Examples) interval = intervalOverExamples(table, column, rows.front());
  if (over == IntervalOver::Heads) interval = intervalOverHeads(values);
  curve.value.push_back(meanOfPresent(values));
  curve.low.push_back(interval.low);
  curve.high.push_back(interval.high);
}

}  // namespace

SoftmaxData makeSoftmax(const AnalysisFile& analysis, const HeadScope& scope) {
  const Table* table = analysis.find("softmax");
  if (table == nullptr) throw InputError(std::string("this analysis has no such heads: ") + kNeedsDense);
  requireScope(analysis, scope);
  const NumberColumn tau(*table, "tau"), queries(*table, "queries");
  std::map<double, std::vector<std::size_t>> bins;
  std::size_t heads = 0;
  for (const RowRun& run : rowsIn(scope, analysis, *table)) {
    for (std::size_t row = run.first; row < run.end; ++row) {
      if (textAt(*table, "bin", row) == "all")
        ++heads;
      else
        bins[tau[row]].push_back(row);
    }
  }
  if (heads == 0) throw InputError(scope.text() + ": " + kNeedsDense);
  SoftmaxData data;
  data.over = heads > 1               ? IntervalOver::Heads
              : canResample(analysis) ? IntervalOver::Examples
                                      : IntervalOver::None;
  for (const auto& [tokens, rows] : bins) {
    data.tau.push_back(tokens);
    std::int64_t evaluated = 0;
    for (const std::size_t row : rows) evaluated += queries.index(row);
    data.queries.push_back(evaluated);
    for (std::size_t v = 0; v < kSoftmaxValues; ++v)
      addBin(data.curves[v], *table, namesOf(SoftmaxValue())[v], rows, data.over);
  }
  data.window = factsOf(analysis).window;
  data.examples = exampleCount(analysis);
  data.correlation = estimateOf(analysis, scope, "pp_sp_correlation");
  Interval& limits = data.correlation.interval;  // the jackknife's may exceed what a correlation can be
  limits = {std::max(limits.low, -1.0), std::min(limits.high, 1.0)};
  data.scopeText = scope.text();
  return data;
}

Table tableOf(const SoftmaxData& data) {
  Table table{"softmax", {{"tau", data.tau}, {"queries", data.queries}}};
  for (std::size_t v = 0; v < kSoftmaxValues; ++v) {
    const std::string name = namesOf(SoftmaxValue())[v];
    table.columns.push_back({name, data.curves[v].value});
    table.columns.push_back({name + kLowEnding, data.curves[v].low});
    table.columns.push_back({name + kHighEnding, data.curves[v].high});
  }
  table.columns.push_back({"interval_over", std::vector<std::string>(data.tau.size(), nameOf(data.over))});
  return table;
}

}  // namespace plastiscope
