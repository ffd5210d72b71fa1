#include "core/compare/comparison.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "core/analysis/columns.h"
#include "core/base/error.h"
#include "core/compare/input_names.h"
#include "core/views/table_reading.h"

namespace plastiscope {

namespace {

constexpr const char* kAbsolute = "abs_";
constexpr const char* kSignedAxes[] = {"r_q_a", "r_k_a"};

bool isSignedAxis(const std::string& column) {
  return std::find(std::begin(kSignedAxes), std::end(kSignedAxes), column) != std::end(kSignedAxes);
}

bool endsAs(const std::string& text, const std::string& suffix) {
  return text.size() > suffix.size() && text.ends_with(suffix);
}

// What resamples add belongs to its metric and is none itself.
bool isOfResamples(const Table& heads, const std::string& column) {
  for (const std::string suffix : {kLowEnding, kHighEnding, kPlainEnding}) {
    if (endsAs(column, suffix) && heads.find(column.substr(0, column.size() - suffix.size())) != nullptr)
      return true;
  }
  return false;
}

std::vector<std::string> measuredColumns(const Table& heads) {
  std::vector<std::string> columns;
  for (const Column& column : heads.columns) {
    if (!std::holds_alternative<std::vector<double>>(column.values) || isOfResamples(heads, column.name))
      continue;
    columns.push_back(column.name);
    if (isSignedAxis(column.name)) columns.push_back(kAbsolute + column.name);
  }
  return columns;
}

std::vector<std::string> allMetrics(const std::vector<ComparedModel>& models) {
  std::vector<std::string> metrics;
  std::set<std::string> known;
  for (const ComparedModel& model : models) {
    for (std::string& column : measuredColumns(requiredTable(*model.analysis, "heads"))) {
      if (known.insert(column).second) metrics.push_back(std::move(column));
    }
  }
  return metrics;
}

std::vector<std::string> chosenMetrics(const std::vector<std::string>& known,
                                       const std::vector<std::string>& wanted) {
  if (wanted.empty()) return known;
  for (const std::string& metric : wanted) {
    if (std::find(known.begin(), known.end(), metric) != known.end()) continue;
    const std::string near = nearestName(metric, known);
    throw UsageError("no input has the metric \"" + metric + "\"" +
                     (near.empty() ? "" : "; did you mean " + near + "?"));
  }
  std::vector<std::string> chosen;
  for (const std::string& metric : known) {
    if (std::find(wanted.begin(), wanted.end(), metric) != wanted.end()) chosen.push_back(metric);
  }
  return chosen;
}

ComparedModel comparedModel(const ComparisonInput& input, std::string name) {
  ComparedModel model;
  model.name = std::move(name);
  model.analysis = input.analysis;
  model.facts = factsOf(*input.analysis);
  model.reference = recogniseReferenceModel(model.facts.model);
  model.family = model.reference ? model.reference->family : model.facts.architecture;
  model.heads = headsOf(*input.analysis);
  if (model.heads.empty()) throw InputError({input.file, "table heads", "at least one head", "none"});
  return model;
}

}  // namespace

std::vector<double> ComparedModel::column(const std::string& metric) const {
  const Table& table = requiredTable(*analysis, "heads");
  const bool absolute = metric.starts_with(kAbsolute) && table.find(metric) == nullptr;
  const std::string stored = absolute ? metric.substr(std::string(kAbsolute).size()) : metric;
  std::vector<double> column;
  for (std::size_t row = 0; row < heads.size(); ++row) {
    const double value = numberAt(table, stored, row);
    column.push_back(absolute ? std::fabs(value) : value);
  }
  return column;
}

std::size_t Comparison::metric(const std::string& column) const {
  const auto found = std::find(metrics.begin(), metrics.end(), column);
  if (found != metrics.end()) return static_cast<std::size_t>(found - metrics.begin());
  const std::string near = nearestName(column, metrics);
  throw UsageError("the metric \"" + column + "\" is not compared" +
                   (near.empty() ? "" : "; did you mean " + near + "?"));
}

bool Comparison::has(const std::string& column) const {
  return std::find(metrics.begin(), metrics.end(), column) != metrics.end();
}

Comparison makeComparison(const std::vector<ComparisonInput>& inputs, const ComparisonOptions& options) {
  if (inputs.empty()) throw UsageError("nothing to compare: give at least one analysis or capture");
  const std::vector<std::string> names = uniqueInputNames(inputs);
  Comparison comparison;
  comparison.options = options;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    comparison.models.push_back(comparedModel(inputs[i], names[i]));
  comparison.metrics = chosenMetrics(allMetrics(comparison.models), options.metrics);
  for (ComparedModel& model : comparison.models) {
    for (const std::string& metric : comparison.metrics) model.values.push_back(model.column(metric));
  }
  return comparison;
}

std::vector<HeadName> commonHeads(const Comparison& comparison) {
  std::vector<HeadName> common = comparison.models.front().heads;
  std::sort(common.begin(), common.end());
  for (const ComparedModel& model : comparison.models) {
    std::vector<HeadName> heads = model.heads, both;
    std::sort(heads.begin(), heads.end());
    std::set_intersection(common.begin(), common.end(), heads.begin(), heads.end(), std::back_inserter(both));
    common = std::move(both);
  }
  return common;
}

}  // namespace plastiscope
