#include "core/compare/position_ranges.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/compare/comparison_tables.h"
#include "core/compare/measures.h"
#include "core/views/map_data.h"
#include "core/views/profile_data.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

constexpr std::int64_t K = 1024;
constexpr LengthRange kRanges[] = {
    {"longbench_pro", 0, 8 * K},       {"longbench_pro", 8 * K, 16 * K},   {"longbench_pro", 16 * K, 32 * K},
    {"longbench_pro", 32 * K, 64 * K}, {"longbench_pro", 64 * K, 128 * K}, {"ruler", 0, 4 * K, true},
    {"ruler", 4 * K, 8 * K, true},     {"ruler", 8 * K, 16 * K, true},     {"ruler", 16 * K, 32 * K, true},
    {"ruler", 32 * K, 64 * K, true},   {"ruler", 64 * K, 128 * K, true},   {"smollm3_4k", 0, 256},
    {"smollm3_4k", 256, 512},          {"smollm3_4k", 512, 1024},          {"smollm3_4k", 1024, 1536},
    {"smollm3_4k", 1536, 2048},        {"smollm3_4k", 2048, 2560},         {"smollm3_4k", 2560, 3072},
    {"smollm3_4k", 3072, 3584},        {"smollm3_4k", 3584, 4096},         {"smollm3_lc", 0, 1 * K},
    {"smollm3_lc", 1 * K, 2 * K},      {"smollm3_lc", 2 * K, 4 * K},       {"smollm3_lc", 4 * K, 8 * K},
    {"smollm3_lc", 8 * K, 16 * K},     {"smollm3_lc", 16 * K, 32 * K},     {"smollm3_lc", 32 * K, 48 * K},
    {"smollm3_lc", 48 * K, 64 * K},
};

// Midpoints of equal bins are (2 b + 1) L / (2 n), so comparisons are exact in integers. For other bins the
// stored position is used; edges of buckets are integers, so their midpoints are exact too.
bool hasEqualMidpoints(const AnalysisSettings& settings) {
  return settings.tau == "midpoint" && settings.bins != "buckets";
}

}  // namespace

std::span<const LengthRange> lengthRanges() {
  return kRanges;
}

PositionProfile::PositionProfile(const AnalysisFile& analysis) : m_window(factsOf(analysis).window) {
  const Table& table = requiredTable(analysis, "profile");
  const HeadColumns names(table);
  const NumberColumn bin(table, "bin"), tau(table, "tau"), ap(table, "ap");
  const bool exact = hasEqualMidpoints(settingsOf(analysis)) && m_window > 0;
  std::int64_t bins = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) bins = std::max(bins, bin.index(row) + 1);
  std::map<HeadName, std::vector<Bin>> heads;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!std::isfinite(ap[row])) continue;
    const auto b = static_cast<double>(bin.index(row));
    heads[names[row]].push_back(
        exact ? Bin{(2 * b + 1) * static_cast<double>(m_window), 2 * static_cast<double>(bins), ap[row]}
              : Bin{tau[row], 1, ap[row]});
  }
  for (auto& [name, own] : heads) m_bins.push_back(std::move(own));
}

RangeAp PositionProfile::mean(const LengthRange& range) const {
  const auto from = static_cast<double>(range.from), to = static_cast<double>(range.to);
  std::vector<double> means, inside;
  for (const std::vector<Bin>& bins : m_bins) {
    inside.clear();
    for (const Bin& bin : bins) {
      const double low = from * bin.denominator, high = to * bin.denominator;
      const bool holds = range.openBelow ? bin.numerator > low && bin.numerator <= high
                                         : bin.numerator >= low && bin.numerator < high;
      if (holds) inside.push_back(bin.ap);
    }
    means.push_back(meanOfPresent(inside));
  }
  RangeAp result;
  result.ap = meanOfPresent(means, &result.heads);
  return result;
}

Table profilesTable(const Comparison& comparison) {
  TableBuilder table("profiles",
                     {texts("model"), integers("bin"), numbers("start"), numbers("end"), numbers("tau"),
                      numbers("relative_position"), numbers("ap"), integers("heads")});
  for (const ComparedModel& model : comparison.models) {
    const auto field = makeProfileField(*model.analysis);
    for (std::size_t b = 0; b < field->bins(); ++b) {
      table.row({model.name, static_cast<std::int64_t>(b), field->start[b], field->end[b], field->tau[b],
                 field->tau[b] / static_cast<double>(field->window), field->mean[b], field->meanHeads[b]});
    }
  }
  return table.take();
}

Table equalPositionsTable(const Comparison& comparison) {
  TableBuilder table("equal_positions", {texts("ranges"), integers("from"), integers("to"), texts("model"),
                                         numbers("reached"), numbers("ap"), integers("heads")});
  std::vector<PositionProfile> profiles;
  std::int64_t longest = 0;
  for (const ComparedModel& model : comparison.models) {
    profiles.emplace_back(*model.analysis);
    longest = std::max(longest, profiles.back().window());
  }
  for (const LengthRange& range : lengthRanges()) {
    if (range.from >= longest) continue;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      const std::int64_t window = profiles[i].window();
      const bool reached = window > range.from;
      const RangeAp mean = reached ? profiles[i].mean(range) : RangeAp{kMissing, 0};
      table.row({std::string(range.ranges), range.from, range.to, comparison.models[i].name,
                 reached ? static_cast<double>(std::min(window, range.to)) : kMissing, mean.ap, mean.heads});
    }
  }
  return table.take();
}

Table mapDifferenceTable(const Comparison& comparison) {
  TableBuilder table("map_difference", {texts("against"), integers("distance_cell"),
                                        integers("midpoint_cell"), numbers("pp_first"), numbers("pp"),
                                        numbers("difference"), integers("pairs_first"), integers("pairs")});
  if (comparison.models.size() < 2) return table.take();
  const MapData first = makeMap(*comparison.models.front().analysis, {});
  for (std::size_t i = 1; i < comparison.models.size(); ++i) {
    const MapData other = makeMap(*comparison.models[i].analysis, {});
    if (other.cell != first.cell) continue;
    for (std::int64_t row = 0; row < std::min(first.rows, other.rows); ++row) {
      for (std::int64_t column = 0; column < std::min(first.columns, other.columns); ++column) {
        const std::size_t a = first.index(column, row), b = other.index(column, row);
        if (first.count[a] == 0 || other.count[b] == 0) continue;
        table.row({comparison.models[i].name, column, row, first.mean[a], other.mean[b],
                   other.mean[b] - first.mean[a], first.count[a], other.count[b]});
      }
    }
  }
  return table.take();
}

}  // namespace plastiscope
