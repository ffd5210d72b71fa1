#include "core/compare/compared_profiles.h"

#include <algorithm>

#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/compare/head_match.h"
#include "core/compare/measures.h"
#include "core/compare/table_builder.h"

namespace plastiscope {

namespace {

void addHead(ComparedProfile& profile, const std::shared_ptr<const ProfileField>& shared, HeadName head) {
  const ProfileField& field = *shared;
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
  const QuintileIntervals* intervals = shownIntervals({shared, row});
  profile.quintileIntervals = intervals != nullptr ? *intervals : QuintileIntervals{kNone, kNone};
}

// The quintiles of the mean over heads; one kind of interval in all models.
void addQuintiles(ComparedProfile& profile, const ComparedModel& model, const ProfileField& field,
                  IntervalOver over) {
  profile.quintiles = field.quintileMean;
  profile.quintileHeads = field.quintileHeads;
  for (std::size_t k = 0; k < 5; ++k) {
    const std::string column = "ap_quintile_" + std::to_string(k + 1);
    std::vector<double> values;
    for (const QuintileValues& head : field.quintiles) values.push_back(head[k]);
    const HeadInterval interval = modelInterval(*model.analysis, values, column, over);
    profile.quintileIntervals.low[k] = interval.low;
    profile.quintileIntervals.high[k] = interval.high;
  }
}

ComparedProfile profileOf(const ComparedModel& model, std::optional<HeadName> head, bool published,
                          IntervalOver quintilesOver) {
  const auto field = makeProfileField(*model.analysis);
  ComparedProfile profile;
  profile.model = comparedName(model);
  profile.window = std::max<std::int64_t>(1, field->window);
  profile.heads = static_cast<std::int64_t>(field->heads.size());
  profile.examples = field->examples;
  profile.tokens = field->tau;
  profile.mean = field->mean;
  profile.low = field->meanLow;
  profile.high = field->meanHigh;
  profile.meanHeads = field->meanHeads;
  addQuintiles(profile, model, *field, quintilesOver);
  if (head) addHead(profile, field, *head);
  if (published && model.reference) {
    profile.published = referenceProfile(model.reference->id);
    profile.publishedQuintiles = referenceQuintiles(model.reference->id);
  }
  return profile;
}

// The rows of one model; a share of the window stands beside every position.
class ProfileRows {
 public:
  ProfileRows(TableBuilder& table, const ComparedProfile& profile) : m_table(table), m_profile(profile) {}

  void add(const std::string& part, double share, double ap, std::int64_t heads, HeadInterval interval = {},
           IntervalOver over = IntervalOver::None) {
    const bool ofHead = part == "head" || (part == "quintile" && m_profile.head);
    const double examples = m_profile.examples > 0 ? static_cast<double>(m_profile.examples) : kMissing;
    row(part, ofHead ? m_profile.head->text() : std::string(), share, m_profile.window, ap, heads, examples,
        interval, over);
  }
  // A published curve has a window of its own.
  void addPublished(const std::string& part, const ReferenceCurve& curve, double share, double ap) {
    row(part, {}, share, curve.window > 0 ? curve.window : m_profile.window, ap, 0, kMissing, {},
        IntervalOver::None);
  }

 private:
  void row(const std::string& part, const std::string& head, double share, std::int64_t window, double ap,
           std::int64_t heads, double examples, HeadInterval interval, IntervalOver over) {
    if (!interval.known()) interval = {};
    m_table.row({part, m_profile.model.name, head, share * static_cast<double>(window), share, ap, heads,
                 examples, interval.low, interval.high, interval.known() ? nameOf(over) : std::string()});
  }

  TableBuilder& m_table;
  const ComparedProfile& m_profile;
};

HeadInterval intervalAt(const ComparedProfile& profile, std::size_t bin) {
  return bin < profile.low.size() ? HeadInterval{profile.low[bin], profile.high[bin]} : HeadInterval();
}

double quintileMiddle(double quintile) {  // from 1
  return (quintile - 0.5) / 5;
}

}  // namespace

ComparedName comparedName(const ComparedModel& model) {
  return {model.name, model.facts.architecture.empty() ? model.family : model.facts.architecture};
}

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
  const ComparedModel& first = comparison.models.front();
  if (head && std::find(first.heads.begin(), first.heads.end(), *head) == first.heads.end())
    throw UsageError(head->text() + " was not captured in " + first.name);
  const HeadMatching matching = headMatchingOf(comparison);
  ComparedProfiles data;
  data.profilesOver = head ? IntervalOver::Examples : IntervalOver::Heads;
  data.quintilesOver = head ? IntervalOver::Examples : modelIntervals(comparison, "ap_quintile_1");
  for (const ComparedModel& model : comparison.models) {
    const auto own = head ? matchedHead(first, *head, model, matching) : std::nullopt;
    data.models.push_back(profileOf(model, own, published, data.quintilesOver));
    if (head && !own) {  // a mean beside heads: its interval would be of another kind
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
    ProfileRows rows(table, profile);
    for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin)
      rows.add("mean", profile.share(bin), profile.mean[bin], profile.meanHeads[bin],
               profile.head ? HeadInterval() : intervalAt(profile, bin), IntervalOver::Heads);
    for (std::size_t bin = 0; bin < profile.headAp.size(); ++bin)
      rows.add("head", profile.share(bin), profile.headAp[bin], 1, intervalAt(profile, bin),
               IntervalOver::Examples);
    for (std::size_t k = 0; k < 5; ++k)
      rows.add("quintile", quintileMiddle(static_cast<double>(k) + 1), profile.quintiles[k],
               profile.quintileHeads[k],
               {profile.quintileIntervals.low[k], profile.quintileIntervals.high[k]}, data.quintilesOver);
    for (std::size_t i = 0; i < profile.published.x.size(); ++i)
      rows.addPublished("published", profile.published, profile.published.x[i], profile.published.y[i]);
    for (std::size_t i = 0; i < profile.publishedQuintiles.x.size(); ++i)
      rows.addPublished("published quintile", profile.publishedQuintiles,
                        quintileMiddle(profile.publishedQuintiles.x[i]), profile.publishedQuintiles.y[i]);
  }
  return table.take();
}

}  // namespace plastiscope
