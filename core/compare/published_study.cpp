#include "core/compare/published_study.h"

#include <set>

#include "core/base/json.h"
#include "core/compare/published_figures.h"

namespace plastiscope {

namespace {

double modelFact(const std::string& id, const char* column) {
  const double value = referenceValue(referenceTable("models"), column, {{"model", id}});
  return value == value ? value : 0;
}

// heads.csv without rows, with the columns whose means the thesis prints.
Table emptyHeads() {
  Table heads{"heads", {integers("layer"), integers("head"), texts("taxonomy")}};
  std::set<std::string> known;
  for (const PublishedNumber& number : publishedNumbers()) {
    if (known.insert(number.metric).second) heads.columns.push_back(numbers(number.metric));
  }
  return heads;
}

}  // namespace

std::shared_ptr<const Study> publishedStudy(const std::string& input) {
  const ReferenceModel model = requiredReferenceModel(publishedIdOf(input).value_or(input));
  auto analysis = std::make_shared<AnalysisFile>();
  analysis->provenance.captureFile = publishedInput(model.id);
  const auto count = [&model](const char* column) {
    return static_cast<std::int64_t>(modelFact(model.id, column));
  };
  analysis->provenance.capture =
      Json{{"model", model.title},           {"architecture", model.family},
           {"layers", model.layers},         {"query_heads", count("q_heads")},
           {"key_heads", count("kv_heads")}, {"head_dim", count("head_dim")},
           {"window", model.window},         {"bucket_size", count("bucket_size")}};
  analysis->provenance.settings = Json::object();
  analysis->tables = {emptyHeads()};
  return std::make_shared<const Study>(
      Study{nullptr, analysis, model.title + " \u00b7 published", publishedInput(model.id), {}});
}

std::vector<AtlasEntry> publishedAtlas() {
  std::vector<AtlasEntry> atlas;
  for (const ReferenceModel& model : referenceModels()) {
    AtlasEntry entry{model, {}};
    if (!referenceProfile(model.id).empty()) entry.shown.emplace_back("profile");
    if (!referenceQuintiles(model.id).empty()) entry.shown.emplace_back("quintiles");
    if (!publishedMap(model.id).published.empty()) entry.shown.emplace_back("map");
    for (const PublishedNumber& number : publishedNumbers()) {
      if (referenceNumber(model.id, number.metric).empty()) continue;
      entry.shown.emplace_back("numbers");
      break;
    }
    if (!entry.shown.empty()) atlas.push_back(std::move(entry));
  }
  return atlas;
}

}  // namespace plastiscope
