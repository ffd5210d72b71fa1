#include "core/analysis/head_groups.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/columns.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

namespace {

std::vector<double> chosen(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  std::vector<double> list;
  for (const std::size_t row : rows) list.push_back(values[row]);
  return list;
}

std::vector<double> present(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
}

}  // namespace

std::vector<HeadsGroup> groupsByNumber(const std::vector<std::int64_t>& numberOfRow) {
  std::map<std::int64_t, HeadsGroup> byNumber;
  for (std::size_t row = 0; row < numberOfRow.size(); ++row) {
    HeadsGroup& group = byNumber[numberOfRow[row]];
    group.number = numberOfRow[row];
    group.name = std::to_string(group.number);
    group.rows.push_back(row);
  }
  std::vector<HeadsGroup> groups;
  for (auto& [number, group] : byNumber) groups.push_back(std::move(group));
  return groups;
}

std::vector<HeadsGroup> groupsByName(const std::vector<std::string>& nameOfRow) {
  std::vector<HeadsGroup> groups;
  for (std::size_t row = 0; row < nameOfRow.size(); ++row) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const HeadsGroup& one) { return one.name == nameOfRow[row]; });
    if (group == groups.end()) group = groups.insert(groups.end(), HeadsGroup{nameOfRow[row], 0, {}});
    group->rows.push_back(row);
  }
  return groups;
}

std::int64_t depthDecile(std::int64_t layer, std::int64_t layers) {
  return layers <= 1 ? 0 : std::min<std::int64_t>(9, 10 * layer / (layers - 1));
}

void addGroupMeans(Table& table, const Table& heads, const std::vector<HeadsGroup>& groups) {
  for (const Column& column : heads.columns) {
    const auto* values = std::get_if<std::vector<double>>(&column.values);
    if (values == nullptr) continue;  // places, counts of rows and texts
    std::vector<double> means, medians;
    std::vector<std::int64_t> counts;
    for (const HeadsGroup& group : groups) {
      std::int64_t count = 0;
      means.push_back(meanOfPresent(chosen(*values, group.rows), &count));
      counts.push_back(count);
      medians.push_back(medianOfPresent(chosen(*values, group.rows)));
    }
    table.columns.push_back({column.name, std::move(means)});
    table.columns.push_back({column.name + kHeadsEnding, std::move(counts)});
    if (isHeavyTailed(column.name))
      table.columns.push_back({column.name + kMedianEnding, std::move(medians)});
  }
}

GroupVariance groupVariance(const std::vector<double>& values, const std::vector<HeadsGroup>& groups) {
  GroupVariance result;
  result.within = result.between = result.intraclass = kMissing;
  std::vector<std::vector<double>> samples;
  std::vector<double> all;
  double sumOfSquaredSizes = 0;
  for (const HeadsGroup& group : groups) {
    const std::vector<double> sample = present(chosen(values, group.rows));
    if (sample.size() < 2) continue;
    samples.push_back(sample);
    all.insert(all.end(), sample.begin(), sample.end());
    sumOfSquaredSizes += static_cast<double>(sample.size() * sample.size());
  }
  result.groups = static_cast<std::int64_t>(samples.size());
  result.heads = static_cast<std::int64_t>(all.size());
  if (samples.size() < 2) return result;
  // MSW = sum of squares within / (N - G), MSB = sum of squares of the group means / (G - 1),
  // n0 = (N - sum n_g^2 / N) / (G - 1); components MSW and (MSB - MSW) / n0, ICC(1) = their share:
  // (MSB - MSW) / (MSB + (n0 - 1) MSW).
  const double n = static_cast<double>(all.size()), g = static_cast<double>(samples.size());
  const double grand = meanOfPresent(all);
  double within = 0, between = 0;
  for (const auto& sample : samples) {
    const double mean = meanOfPresent(sample);
    within += squaredDeviations(sample, mean);
    between += static_cast<double>(sample.size()) * (mean - grand) * (mean - grand);
  }
  const double size = (n - sumOfSquaredSizes / n) / (g - 1);
  result.within = within / (n - g);
  result.between = (between / (g - 1) - result.within) / size;
  const double total = result.within + result.between;
  if (total > 0) result.intraclass = result.between / total;
  return result;
}

}  // namespace plastiscope
