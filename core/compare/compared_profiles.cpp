#include "core/compare/compared_profiles.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/compare/comparison_tables.h"
#include "core/compare/matching.h"
#include "core/compare/measures.h"
#include "core/views/map_data.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

void addHead(ComparedProfile& profile, const ProfileField& field, HeadName head) {
  const auto found = std::find(field.heads.begin(), field.heads.end(), head);
  if (found == field.heads.end()) return;
  const auto row = static_cast<std::size_t>(found - field.heads.begin());
  profile.head = head;
  profile.low.clear();
  profile.high.clear();
  for (std::size_t bin = 0; bin < field.bins(); ++bin) {
    const std::size_t index = field.index(row, bin);
    profile.headAp.push_back(field.ap[index]);
    if (field.apLow.empty()) continue;
    profile.low.push_back(field.apLow[index]);
    profile.high.push_back(field.apHigh[index]);
  }
  profile.quintiles = field.quintiles[row];
  profile.quintileHeads.fill(1);
  constexpr QuintileValues kNone = {kMissing, kMissing, kMissing, kMissing, kMissing};
  const bool known = !field.quintileIntervals.empty();
  profile.quintileIntervals = known ? field.quintileIntervals[row] : QuintileIntervals{kNone, kNone};
}

// Adds quintiles of the mean over heads, with the same kind of interval in all models.
void addQuintiles(ComparedProfile& profile, const ComparedModel& model, const ProfileField& field,
                  IntervalOver over) {
  profile.quintiles = field.quintileMean;
  profile.quintileHeads = field.quintileHeads;
  for (std::size_t k = 0; k < 5; ++k) {
    const std::string column = columnAs(field.plasticity, "ap_quintile_" + std::to_string(k + 1));
    std::vector<double> values;
    for (const QuintileValues& head : field.quintiles) values.push_back(head[k]);
    const Interval interval = modelInterval(*model.analysis, values, column, over);
    profile.quintileIntervals.low[k] = interval.low;
    profile.quintileIntervals.high[k] = interval.high;
  }
}

// The thesis' curve as the mean over heads.
ComparedProfile publishedProfileOf(const ComparedModel& model) {
  ComparedProfile profile;
  profile.model = comparedName(model);
  const ReferenceCurve curve = referenceProfile(model.reference->id),
                       quintiles = referenceQuintiles(model.reference->id);
  profile.window = std::max<std::int64_t>(1, model.facts.window);
  for (const double share : curve.x) profile.tokens.push_back(share * static_cast<double>(profile.window));
  profile.mean = curve.y;
  profile.meanHeads.assign(curve.x.size(), 0);
  profile.quintileIntervals.low.fill(kMissing);
  profile.quintileIntervals.high.fill(kMissing);
  for (std::size_t k = 0; k < 5; ++k) profile.quintiles.at(k) = quintiles.at(static_cast<double>(k) + 1);
  return profile;
}

ComparedProfile profileOf(const ComparedModel& model, std::optional<HeadName> head, bool published,
                          IntervalOver quintilesOver, ApKind plasticity) {
  if (model.published) return publishedProfileOf(model);
  const auto field = makeProfileField(*model.analysis, {}, plasticity);
  ComparedProfile profile;
  profile.model = comparedName(model);
  profile.window = std::max<std::int64_t>(1, field->window);
  profile.aligned = plasticity == ApKind::Aligned;
  profile.heads = static_cast<std::int64_t>(field->heads.size());
  profile.examples = field->examples;
  profile.tokens = field->tau;
  profile.mean = field->mean;
  profile.low = field->meanLow;
  profile.high = field->meanHigh;
  profile.meanHeads = field->meanHeads;
  addQuintiles(profile, model, *field, quintilesOver);
  if (head) addHead(profile, *field, *head);
  if (published && model.reference) {
    profile.published = referenceProfile(model.reference->id);
    profile.publishedQuintiles = referenceQuintiles(model.reference->id);
  }
  return profile;
}

// A row of the table; published rows have no heads and examples.
struct ProfileRow {
  const char* part;
  double share, ap;  // share of the window
  std::int64_t heads = 0;
  Interval interval = {};
  IntervalOver over = IntervalOver::None;
};

void addRow(TableBuilder& table, const ComparedProfile& profile, std::int64_t window, ProfileRow row) {
  const bool published = std::string_view(row.part).starts_with("published"),
             ofHead = row.part == std::string_view("head") ||
                      (row.part == std::string_view("quintile") && profile.head);
  if (!row.interval.known()) row.interval = {};
  table.row({row.part, profile.model.name, ofHead ? profile.head->text() : std::string(),
             row.share * static_cast<double>(window), row.share, row.ap, row.heads,
             !published && profile.examples > 0 ? static_cast<double>(profile.examples) : kMissing,
             row.interval.low, row.interval.high, overName(row.interval, row.over)});
}

double quintileMiddle(double quintile) {  // from 1
  return (quintile - 0.5) / 5;
}

}  // namespace

std::int64_t ComparedProfiles::longestWindow() const {
  std::int64_t longest = 1;
  for (const ComparedProfile& profile : models) {
    longest = std::max(longest, profile.window);
    if (!profile.published.empty()) longest = std::max(longest, profile.published.window);
  }
  return longest;
}

bool ComparedProfiles::showsHeads() const {
  return std::any_of(models.begin(), models.end(),
                     [](const auto& profile) { return profile.head.has_value(); });
}

ComparedProfiles compareProfiles(const Comparison& comparison, std::optional<HeadName> head, bool published) {
  const ComparedModel* leader = leaderOf(comparison);
  if (leader == nullptr) head.reset();
  const ComparedModel& first = leader == nullptr ? comparison.models.front() : *leader;
  if (head && std::find(first.heads.begin(), first.heads.end(), *head) == first.heads.end())
    throw UsageError(head->text() + " was not captured in " + first.name);
  const HeadMatching matching = headMatchingOf(comparison);
  ComparedProfiles data;
  data.plasticity = published ? ApKind::Binned : comparison.plasticity.kind;
  data.profilesOver = head ? IntervalOver::Examples : IntervalOver::Heads;
  data.quintilesOver =
      head ? IntervalOver::Examples
           : commonIntervals(comparison, columnAs(data.plasticity, "ap_quintile_1"), modelIntervals);
  for (const ComparedModel& model : comparison.models) {
    const auto own = head ? matchedHead(first, *head, model, matching) : std::nullopt;
    data.models.push_back(profileOf(model, own, published, data.quintilesOver, data.plasticity));
    if (head && !own) {  // a mean next to heads: its interval would be of another kind
      data.models.back().low.clear();
      data.models.back().high.clear();
    }
  }
  return data;
}

Table tableOf(const ComparedProfiles& data) {
  TableBuilder table("compare", {texts("part"), texts("model"), texts("head"), numbers("position"),
                                 numbers("share"), numbers("ap"), integers("heads"), numbers("examples"),
                                 numbers("ap_low"), numbers("ap_high"), texts("interval_over")});
  for (const ComparedProfile& profile : data.models) {
    const auto add = [&](const ProfileRow& row) { addRow(table, profile, profile.window, row); };
    for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin)
      add({"mean", profile.share(bin), profile.mean[bin], profile.meanHeads[bin],
           profile.head ? Interval() : profile.interval(bin), IntervalOver::Heads});
    for (std::size_t bin = 0; bin < profile.headAp.size(); ++bin)
      add({"head", profile.share(bin), profile.headAp[bin], 1, profile.interval(bin),
           IntervalOver::Examples});
    for (std::size_t k = 0; k < 5; ++k)
      add({"quintile",
           quintileMiddle(static_cast<double>(k) + 1),
           profile.quintiles[k],
           profile.quintileHeads[k],
           {profile.quintileIntervals.low[k], profile.quintileIntervals.high[k]},
           data.quintilesOver});
    const auto addPublished = [&](const char* part, const ReferenceCurve& curve, double (*shareOf)(double)) {
      const std::int64_t window = curve.window > 0 ? curve.window : profile.window;  // its own if known
      for (std::size_t i = 0; i < curve.x.size(); ++i)
        addRow(table, profile, window, {part, shareOf(curve.x[i]), curve.y[i]});
    };
    addPublished("published", profile.published, [](double share) { return share; });
    addPublished("published quintile", profile.publishedQuintiles, quintileMiddle);
  }
  return table.take();
}

// ---- Ranges of positions

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
