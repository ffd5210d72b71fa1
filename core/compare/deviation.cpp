#include "core/compare/deviation.h"

#include <cmath>
#include <map>

#include "core/analysis/head_groups.h"
#include "core/base/error.h"
#include "core/compare/measures.h"
#include "core/compare/position_ranges.h"
#include "core/compare/published_numbers.h"

namespace plastiscope {

namespace {

// Collects the numbers of one input and one published model.
class Collector {
 public:
  Collector(const ComparedModel& model, const ReferenceModel& reference)
      : m_model(model), m_reference(reference) {
    for (std::size_t h = 0; h < model.heads.size(); ++h)
      m_deciles[depthDecile(model.heads[h].layer, model.facts.layers)].push_back(h);
  }
  std::vector<Deviation> take() { return std::move(m_all); }

  void addNumber(const Table& table, std::size_t row, const PublishedNumber& number) {
    const std::vector<double> own = m_model.column(number.metric);
    const std::string name = std::string(number.metric) + (number.median ? "_median" : "");
    add(name, number.median ? spreadOf(own).median : meanOfPresent(own), table.numbers(number.column)[row],
        number.tolerance, *number.source == '\0' ? table.texts("source")[row] : number.source);
  }

  void addPart(const Table& table, std::size_t row, const PublishedSeries& series) {
    const auto index = static_cast<std::int64_t>(table.numbers(series.index)[row]);
    const std::string number = std::to_string(index);
    std::string name = series.metric + number;
    std::vector<double> own;
    if (series.byDepth) {
      const std::vector<double> all = m_model.column(series.metric);
      for (const std::size_t head : m_deciles[index]) own.push_back(all[head]);
      name = std::string(series.metric) + " at depth decile " + number;
    } else {
      own = m_model.column(name);
    }
    add(name, meanOfPresent(own), table.numbers(series.column)[row], series.tolerance,
        table.texts("source")[row]);
  }

  void addRange(const Table& table, std::size_t row, const PositionProfile& profile) {
    const auto from = static_cast<std::int64_t>(table.numbers("position_from")[row]);
    const auto to = static_cast<std::int64_t>(table.numbers("position_to")[row]);
    if (profile.window() < to) return;
    add("ap from " + withCommas(from) + " to " + withCommas(to), profile.mean({"", from, to}).ap,
        table.numbers("ap")[row], kPlasticityTolerance, table.texts("source")[row]);
  }

 private:
  void add(const std::string& metric, double own, double published, const std::string& tolerance,
           const std::string& source) {
    if (!std::isfinite(own) || !std::isfinite(published)) return;
    m_all.push_back({m_model.name, m_reference.id, metric, own, published, tolerance + windowNote(), source,
                     accuracyOf(source)});
  }
  std::string windowNote() const {
    if (m_reference.window == 0 || m_model.facts.window == m_reference.window) return "";
    return "; the windows differ: " + withCommas(m_model.facts.window) + " and " +
           withCommas(m_reference.window) + " tokens";
  }

  const ComparedModel& m_model;
  const ReferenceModel& m_reference;
  std::map<std::int64_t, std::vector<std::size_t>> m_deciles;
  std::vector<Deviation> m_all;
};

}  // namespace

std::vector<Deviation> deviationsOf(const Comparison& comparison, std::size_t model,
                                    const ReferenceModel& reference) {
  const ComparedModel& own = comparison.models.at(model);
  const PositionProfile profile(*own.analysis);
  Collector collector(own, reference);
  for (const PublishedNumber& number : publishedNumbers()) {
    const Table table = referenceTable(number.table);
    for (const std::size_t row : rowsOfModel(table, reference.id)) collector.addNumber(table, row, number);
  }
  for (const PublishedSeries& series : publishedSeries()) {
    const Table table = referenceTable(series.table);
    for (const std::size_t row : rowsOfModel(table, reference.id)) collector.addPart(table, row, series);
  }
  for (const char* name : {"plasticity_length_bins", "smollm3_position"}) {
    const Table table = referenceTable(name);
    for (const std::size_t row : rowsOfModel(table, reference.id)) collector.addRange(table, row, profile);
  }
  return collector.take();
}

Table deviationTable(const std::vector<Deviation>& deviations) {
  TableBuilder table(
      "deviation", {texts("model"), texts("reference"), texts("metric"), numbers("own"), numbers("published"),
                    numbers("difference"), texts("tolerance"), texts("source"), texts("accuracy")});
  for (const Deviation& one : deviations) {
    table.row({one.model, one.reference, one.metric, one.own, one.published, one.difference(), one.tolerance,
               one.source, one.accuracy});
  }
  return table.take();
}

}  // namespace plastiscope
