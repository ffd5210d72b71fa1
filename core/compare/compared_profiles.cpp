#include "core/compare/compared_profiles.h"

#include <algorithm>

#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/compare/head_match.h"
#include "core/compare/table_builder.h"
#include "core/views/profile_data.h"

namespace plastiscope {

namespace {

void addHead(ComparedProfile& profile, const ProfileField& field, HeadName head) {
  const auto found = std::find(field.heads.begin(), field.heads.end(), head);
  if (found == field.heads.end()) return;
  const auto row = static_cast<std::size_t>(found - field.heads.begin());
  profile.head = head;
  for (std::size_t bin = 0; bin < field.bins(); ++bin)
    profile.headAp.push_back(field.ap[field.index(row, bin)]);
  profile.quintiles = field.quintiles[row];
  profile.quintileHeads.fill(1);
}

ComparedProfile profileOf(const ComparedModel& model, std::optional<HeadName> head, bool published) {
  const auto field = makeProfileField(*model.analysis);
  ComparedProfile profile;
  profile.model = comparedName(model);
  profile.window = std::max<std::int64_t>(1, field->window);
  profile.tokens = field->tau;
  profile.mean = field->mean;
  profile.meanHeads = field->meanHeads;
  profile.quintiles = field->quintileMean;
  profile.quintileHeads = field->quintileHeads;
  if (head) addHead(profile, *field, *head);
  if (published && model.reference) {
    profile.published = ghostProfile(model.reference->id);
    profile.publishedQuintiles = ghostQuintiles(model.reference->id);
  }
  return profile;
}

// The rows of one model; a share of the window stands beside every position.
class ProfileRows {
 public:
  ProfileRows(TableBuilder& table, const ComparedProfile& profile) : m_table(table), m_profile(profile) {}

  void add(const std::string& part, double share, double ap, std::int64_t heads) {
    const bool ofHead = part == "head" || (part == "quintile" && m_profile.head);
    m_table.row({part, m_profile.model.name, ofHead ? m_profile.head->text() : std::string(),
                 share * static_cast<double>(m_profile.window), share, ap, heads});
  }

 private:
  TableBuilder& m_table;
  const ComparedProfile& m_profile;
};

double fifthMiddle(double fifth) {  // from 1
  return (fifth - 0.5) / 5;
}

}  // namespace

ComparedName comparedName(const ComparedModel& model) {
  return {model.name, model.facts.architecture.empty() ? model.family : model.facts.architecture};
}

std::int64_t ComparedProfiles::longestWindow() const {
  std::int64_t longest = 1;
  for (const ComparedProfile& profile : models) longest = std::max(longest, profile.window);
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
  for (const ComparedModel& model : comparison.models) {
    const auto own = head ? matchedHead(first, *head, model, matching) : std::nullopt;
    data.models.push_back(profileOf(model, own, published));
  }
  return data;
}

Table tableOf(const ComparedProfiles& data) {
  TableBuilder table("compare", {texts("part"), texts("model"), texts("head"), numbers("position"),
                                 numbers("share"), numbers("ap"), integers("heads")});
  for (const ComparedProfile& profile : data.models) {
    ProfileRows rows(table, profile);
    for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin)
      rows.add("mean", profile.share(bin), profile.mean[bin], profile.meanHeads[bin]);
    for (std::size_t bin = 0; bin < profile.headAp.size(); ++bin)
      rows.add("head", profile.share(bin), profile.headAp[bin], 1);
    for (std::size_t k = 0; k < 5; ++k)
      rows.add("quintile", fifthMiddle(static_cast<double>(k) + 1), profile.quintiles[k],
               profile.quintileHeads[k]);
    for (std::size_t i = 0; i < profile.published.x.size(); ++i)
      rows.add("published", profile.published.x[i], profile.published.y[i], 0);
    for (std::size_t i = 0; i < profile.publishedQuintiles.x.size(); ++i)
      rows.add("published quintile", fifthMiddle(profile.publishedQuintiles.x[i]),
               profile.publishedQuintiles.y[i], 0);
  }
  return table.take();
}

}  // namespace plastiscope
