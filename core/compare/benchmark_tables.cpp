// The CSV tables of benchmark correlations.
#include <cmath>

#include "core/compare/benchmark_link.h"
#include "core/compare/table_builder.h"

namespace plastiscope {

namespace {

using Columns = std::vector<Column>;
using Cells = std::vector<Cell>;

double orMissing(const std::optional<std::int64_t>& length) {
  return length ? static_cast<double>(*length) : std::nan("");
}

template <typename List>
List joinedLists(List first, const List& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Columns resultColumns() {
  return {integers("n"),         numbers("pearson"),  numbers("low"),   numbers("high"),
          numbers("spearman"),   numbers("p"),        numbers("slope"), numbers("slope_low"),
          numbers("slope_high"), numbers("intercept")};
}

Cells resultCells(const Correlation& result) {
  return {result.n,
          result.pearson,
          result.pearsonInterval.low,
          result.pearsonInterval.high,
          result.spearman,
          result.permutationP,
          result.slope,
          result.slopeInterval.low,
          result.slopeInterval.high,
          result.intercept};
}

Columns groupColumns() {
  return {texts("suite"), texts("mode"), numbers("length"), texts("predictor")};
}

Cells groupCells(const BenchmarkCorrelation& one) {
  return {one.suite, one.mode, orMissing(one.length), one.predictor};
}

Columns scopeColumns() {
  return {texts("suite"), texts("mode"), texts("scope"), texts("model"), numbers("length")};
}

Cells scopeCells(const LengthCorrelation& one) {
  return {one.suite, one.mode, one.scope, one.model, orMissing(one.length)};
}

}  // namespace

Table correlationsTable(const std::string& benchmark, const std::vector<BenchmarkCorrelation>& all) {
  TableBuilder table("correlations",
                     joinedLists(Columns{texts("benchmark")}, joinedLists(groupColumns(), resultColumns())));
  for (const BenchmarkCorrelation& one : all)
    table.row(joinedLists(Cells{benchmark}, joinedLists(groupCells(one), resultCells(one.result))));
  return table.take();
}

Table leaveOneOutTable(const std::vector<BenchmarkCorrelation>& all) {
  TableBuilder table("leave_one_out",
                     joinedLists(groupColumns(), Columns{texts("without"), numbers("pearson")}));
  for (const BenchmarkCorrelation& one : all) {
    for (std::size_t i = 0; i < one.models.size(); ++i)
      table.row(joinedLists(groupCells(one), Cells{one.models[i], one.result.leaveOneOut.at(i)}));
  }
  return table.take();
}

Table benchmarkPointsTable(const std::vector<BenchmarkCorrelation>& all) {
  TableBuilder table("benchmark_points", joinedLists(groupColumns(), Columns{texts("model"), numbers("value"),
                                                                             numbers("score")}));
  for (const BenchmarkCorrelation& one : all) {
    for (std::size_t i = 0; i < one.models.size(); ++i)
      table.row(joinedLists(groupCells(one), Cells{one.models[i], one.x[i], one.y[i]}));
  }
  return table.take();
}

Table lengthCorrelationsTable(const std::vector<LengthCorrelation>& all) {
  TableBuilder table("length_correlations", joinedLists(scopeColumns(), resultColumns()));
  for (const LengthCorrelation& one : all) table.row(joinedLists(scopeCells(one), resultCells(one.result)));
  return table.take();
}

Table lengthPointsTable(const std::vector<LengthCorrelation>& all) {
  TableBuilder table("length_points", {texts("suite"), texts("mode"), texts("model"), integers("length"),
                                       numbers("ap"), numbers("score")});
  for (const LengthCorrelation& one : all) {
    if (one.scope != "all") continue;
    for (std::size_t i = 0; i < one.models.size(); ++i)
      table.row({one.suite, one.mode, one.models[i], one.lengths[i], one.ap[i], one.score[i]});
  }
  return table.take();
}

std::vector<Table> linkTables(const PredictorTable& predictors, const Benchmark& benchmark,
                              const CorrelationOptions& options) {
  const auto all = correlateBenchmark(predictors, benchmark, options);
  const auto lengths = correlateLengths(predictors, benchmark, options);
  return {correlationsTable(benchmark.name, all), leaveOneOutTable(all), benchmarkPointsTable(all),
          lengthCorrelationsTable(lengths), lengthPointsTable(lengths)};
}

}  // namespace plastiscope
