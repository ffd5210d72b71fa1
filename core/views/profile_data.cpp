#include "core/views/profile_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/analysis/columns.h"
#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/views/map_data.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxBins = 1 << 20;

std::string columnOf(std::size_t quintile, ApKind plasticity) {
  return columnAs(plasticity, "ap_quintile_" + std::to_string(quintile + 1));
}

QuintileIntervals intervalsAt(const Table& table, std::size_t row, ApKind plasticity) {
  QuintileIntervals intervals;
  for (std::size_t k = 0; k < 5; ++k) {
    const Interval interval = intervalOverExamples(table, columnOf(k, plasticity), row);
    intervals.low[k] = interval.low;
    intervals.high[k] = interval.high;
  }
  return intervals;
}

void readHeads(ProfileField& field, const AnalysisFile& analysis, const HeadScope& scope) {
  const Table& heads = requiredTable(analysis, "heads");
  const HeadColumns names(heads);
  const bool intervals = canResample(analysis) && hasIntervals(heads, columnOf(0, field.plasticity));
  std::array<MeanOf, 5> means;
  for (std::size_t row = 0; row < heads.rows(); ++row) {
    if (scope.layer && names[row].layer != *scope.layer) continue;
    field.heads.push_back(names[row]);
    if (intervals) field.quintileIntervals.push_back(intervalsAt(heads, row, field.plasticity));
    field.excess.push_back(numberAt(heads, "ap_binning_excess", row));
    auto& quintiles = field.quintiles.emplace_back();
    for (std::size_t k = 0; k < 5; ++k) {
      quintiles[k] = numberAt(heads, columnOf(k, field.plasticity), row);
      means[k].add(quintiles[k]);
    }
  }
  for (std::size_t k = 0; k < 5; ++k) {
    field.quintileMean[k] = means[k].value();
    field.quintileHeads[k] = means[k].count();
  }
  const Table* model = analysis.find("model");
  if (!scope.layer && canResample(analysis) && model && model->rows() == 1 &&
      hasIntervals(*model, columnOf(0, field.plasticity))) {
    field.quintileMeanInterval = intervalsAt(*model, 0, field.plasticity);
    field.quintileMeanOver = IntervalOver::Examples;
  } else {
    field.quintileMeanInterval = intervalsOverHeads(field.quintiles);
  }
}

void sizeBins(ProfileField& field, const Table& profile, bool intervals) {
  const NumberColumn bin(profile, "bin");
  std::int64_t bins = 0;
  for (std::size_t row = 0; row < profile.rows(); ++row) bins = std::max(bins, bin.index(row, kMaxBins) + 1);
  // Every head has all its bins as rows, so a valid file has at least as many rows as bins.
  if (bins > static_cast<std::int64_t>(profile.rows())) {
    throw InputError("table profile: expected bins from 0 without gaps, found bin " +
                     std::to_string(bins - 1) + " in " + std::to_string(profile.rows()) + " rows");
  }
  const auto count = static_cast<std::size_t>(bins);
  for (auto* edges : {&field.start, &field.end, &field.tau}) edges->assign(count, kMissing);
  field.ap.assign(count * field.heads.size(), kMissing);
  if (intervals && hasIntervals(profile, placeOf(field.plasticity).ap)) {
    for (auto* ends : {&field.apLow, &field.apHigh}) ends->assign(field.ap.size(), kMissing);
  }
  field.pairs.assign(count * field.heads.size(), 0);
  field.queries.assign(count * field.heads.size(), 0);
  if (profile.find("n_texts") != nullptr) field.texts.assign(field.ap.size(), 0);
  if (profile.find("texts_differ") != nullptr) field.differs.assign(count, false);
}

void readBins(ProfileField& field, const Table& profile) {
  std::map<HeadName, std::size_t> place;
  for (std::size_t h = 0; h < field.heads.size(); ++h) place[field.heads[h]] = h;
  const HeadColumns names(profile);
  const NumberColumn bin(profile, "bin"), start(profile, "start"), end(profile, "end"), tau(profile, "tau");
  const NumberColumn queries(profile, "queries"), pairs(profile, "pairs_used");
  const std::string column = placeOf(field.plasticity).ap;
  const NumberColumn ap(profile, column);
  std::optional<NumberColumn> low, high, texts;
  if (!field.apLow.empty()) {
    low.emplace(profile, column + kLowEnding);
    high.emplace(profile, column + kHighEnding);
  }
  if (!field.texts.empty()) texts.emplace(profile, "n_texts");
  for (std::size_t row = 0; row < profile.rows(); ++row) {
    const auto b = static_cast<std::size_t>(bin.index(row));
    if (std::isnan(field.start[b])) {
      field.start[b] = start[row];
      field.end[b] = end[row];
      // With tau = mean each head has its own tau; the axis then uses the middle of the bin.
      field.tau[b] = (start[row] + end[row]) / 2;
    }
    const auto found = place.find(names[row]);
    if (found == place.end()) continue;
    const std::size_t index = field.index(found->second, b);
    field.ap[index] = ap[row];
    field.pairs[index] = pairs.index(row);
    field.queries[index] = queries.index(row);
    if (texts) field.texts[index] = texts->index(row);
    if (!field.differs.empty() && textAt(profile, "texts_differ", row) == "true") field.differs[b] = true;
    if (!low) continue;
    field.apLow[index] = (*low)[row];
    field.apHigh[index] = (*high)[row];
  }
}

void averageBins(ProfileField& field) {
  for (std::size_t b = 0; b < field.bins(); ++b) {
    MeanOf mean;
    std::vector<double> values;
    for (std::size_t h = 0; h < field.heads.size(); ++h) values.push_back(field.ap[field.index(h, b)]);
    for (const double value : values) mean.add(value);
    const Interval interval = intervalOverHeads(values);
    field.mean.push_back(mean.value());
    field.meanLow.push_back(interval.low);
    field.meanHigh.push_back(interval.high);
    field.meanHeads.push_back(mean.count());
    field.spreads.push_back(headSpread(std::move(values)));
  }
}

}  // namespace

std::optional<std::size_t> ProfileField::binAt(double position) const {
  for (std::size_t b = 0; b < bins(); ++b) {
    if (position >= start[b] && position < end[b]) return b;
  }
  return std::nullopt;
}

const ProfileData& besidePublished(const ProfileData& data) {
  return data.field->plasticity == ApKind::Aligned && data.other ? *data.other : data;
}

std::string excessNote(const ProfileData& data) {
  if (data.field->plasticity == ApKind::Aligned) return "";
  return excessNote(data.shown ? data.shown->excess : meanOfPresent(data.field->excess));
}

const QuintileValues& shownQuintiles(const ProfileData& data) {
  return data.shown ? data.shown->quintiles : data.field->quintileMean;
}

const QuintileIntervals* shownIntervals(const ProfileData& data) {
  if (!data.shown) return &data.field->quintileMeanInterval;
  return data.shown->quintileIntervals ? &*data.shown->quintileIntervals : nullptr;
}

IntervalOver shownIntervalsOver(const ProfileData& data) {
  return data.shown ? data.shown->over : data.field->quintileMeanOver;
}

QuintileIntervals intervalsOverHeads(const std::vector<QuintileValues>& heads) {
  QuintileIntervals intervals;
  for (std::size_t k = 0; k < 5; ++k) {
    std::vector<double> values;
    for (const QuintileValues& head : heads) values.push_back(head[k]);
    const Interval interval = intervalOverHeads(values);
    intervals.low[k] = interval.low;
    intervals.high[k] = interval.high;
  }
  return intervals;
}

namespace {

std::shared_ptr<ProfileField> fieldOf(const AnalysisFile& analysis, const HeadScope& scope,
                                      ApKind plasticity) {
  auto field = std::make_shared<ProfileField>();
  field->plasticity = plasticity;
  const Table& profile = requiredTable(analysis, placeOf(plasticity).profile);
  field->scopeText = HeadScope{std::nullopt, scope.layer}.text();
  field->examples = exampleCount(analysis);
  field->corrected = profile.find("ap_plain") != nullptr;
  readHeads(*field, analysis, scope);
  sizeBins(*field, profile, canResample(analysis));
  readBins(*field, profile);
  averageBins(*field);
  field->window = factsOf(analysis).window;
  for (const double end : field->end) {
    if (std::isfinite(end))
      field->window = std::max(field->window, static_cast<std::int64_t>(std::ceil(end)));
  }
  return field;
}

}  // namespace

std::shared_ptr<const ProfileField> makeProfileField(const AnalysisFile& analysis, const HeadScope& scope,
                                                     ApKind plasticity) {
  return fieldOf(analysis, scope, plasticity);
}

std::shared_ptr<const ProfileField> makeProfileFields(const AnalysisFile& analysis, const HeadScope& scope,
                                                      ApKind plasticity) {
  auto field = fieldOf(analysis, scope, plasticity);
  const ApKind other = otherPlasticity(plasticity);
  if (shownPlasticity(analysis, other).kind == other &&
      shownPlasticity(analysis, plasticity).kind == plasticity)
    field->other = fieldOf(analysis, scope, other);
  return field;
}

namespace {

// One head's slice of [heads * bins].
template <typename Value>
std::vector<Value> partOf(const ProfileField& field, const std::vector<Value>& all, std::size_t head) {
  if (all.empty()) return {};
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(field.index(head, 0));
  return {first, first + static_cast<std::ptrdiff_t>(field.bins())};
}

ShownProfile oneHead(const ProfileField& field, std::size_t head) {
  ShownProfile shown;
  shown.name = field.heads[head].text();
  shown.ap = partOf(field, field.ap, head);
  shown.low = partOf(field, field.apLow, head);
  shown.high = partOf(field, field.apHigh, head);
  shown.pairs = partOf(field, field.pairs, head);
  shown.queries = partOf(field, field.queries, head);
  shown.texts = partOf(field, field.texts, head);
  shown.excess = field.excess[head];
  shown.quintiles = field.quintiles[head];
  if (!field.quintileIntervals.empty()) {
    shown.quintileIntervals = field.quintileIntervals[head];
    shown.over = IntervalOver::Examples;
  }
  return shown;
}

ShownProfile meanOfHeads(const ProfileField& field, const std::vector<std::size_t>& heads) {
  ShownProfile shown;
  shown.heads = static_cast<std::int64_t>(heads.size());
  shown.name = "mean of " + withCommas(shown.heads) + " selected";
  shown.over = IntervalOver::Heads;
  for (std::size_t b = 0; b < field.bins(); ++b) {
    std::vector<double> values;
    std::int64_t pairs = 0, queries = 0;
    MeanOf mean;
    for (const std::size_t head : heads) {
      const std::size_t index = field.index(head, b);
      values.push_back(field.ap[index]);
      mean.add(field.ap[index]);
      pairs += field.pairs[index];
      queries += field.queries[index];
    }
    const Interval interval = intervalOverHeads(values);
    shown.ap.push_back(mean.value());
    shown.low.push_back(interval.low);
    shown.high.push_back(interval.high);
    shown.pairs.push_back(pairs);
    shown.queries.push_back(queries);
  }
  std::vector<QuintileValues> quintiles;
  MeanOf excess;
  for (const std::size_t head : heads) {
    quintiles.push_back(field.quintiles[head]);
    excess.add(field.excess[head]);
  }
  shown.excess = excess.value();
  for (std::size_t k = 0; k < 5; ++k) {
    MeanOf mean;
    for (const QuintileValues& values : quintiles) mean.add(values[k]);
    shown.quintiles[k] = mean.value();
  }
  shown.quintileIntervals = intervalsOverHeads(quintiles);
  return shown;
}

}  // namespace

ProfileData makeProfile(std::shared_ptr<const ProfileField> field, std::optional<HeadName> head) {
  ProfileData data;
  if (head) {
    const auto found = std::find(field->heads.begin(), field->heads.end(), *head);
    if (found == field->heads.end()) throw UsageError(head->text() + " was not captured");
    data.shown = std::make_shared<const ShownProfile>(
        oneHead(*field, static_cast<std::size_t>(found - field->heads.begin())));
  }
  if (field->other) data.other = std::make_shared<const ProfileData>(makeProfile(field->other, head));
  data.field = std::move(field);
  return data;
}

ProfileData makeProfile(std::shared_ptr<const ProfileField> field, const std::vector<HeadName>& several,
                        const std::string& name) {
  const std::set<HeadName> wanted(several.begin(), several.end());
  std::vector<std::size_t> heads;
  for (std::size_t h = 0; h < field->heads.size(); ++h) {
    if (wanted.contains(field->heads[h])) heads.push_back(h);
  }
  if (heads.empty()) throw UsageError("none of the selected heads was captured");
  ProfileData data;
  auto shown = std::make_shared<ShownProfile>(meanOfHeads(*field, heads));
  if (!name.empty()) shown->name = name;
  data.shown = std::move(shown);
  if (field->other)
    data.other = std::make_shared<const ProfileData>(makeProfile(field->other, several, name));
  data.field = std::move(field);
  return data;
}

std::string whyNoProfile(const ProfileField& field) {
  if (field.bins() == 0) return "This analysis has no profile";
  if (std::ranges::any_of(field.ap, [](double value) { return std::isfinite(value); })) return {};
  const auto fullest = std::ranges::max_element(field.queries);
  const std::int64_t most = fullest == field.queries.end() ? 0 : *fullest;
  return "Too few rows: the fullest bin has " + withCommas(most) + (most == 1 ? " query" : " queries") +
         ". A bin needs " + neededRows() + " by default (settings min_queries and min_pairs).";
}

}  // namespace plastiscope
