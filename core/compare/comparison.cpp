#include "core/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "core/analysis/columns.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/natural_order.h"
#include "core/compare/matching.h"
#include "core/compare/text_inference.h"
#include "core/store/stored_file.h"

namespace plastiscope {

namespace {

constexpr const char* kAbsolute = "abs_";
constexpr const char* kSignedAxes[] = {"r_q_a", "r_k_a"};

// Whether a column holds a resampling result of another column and is no metric itself.
bool isOfResamples(const Table& heads, const std::string& column) {
  for (const std::string suffix : {kLowEnding, kHighEnding, kPlainEnding}) {
    if (column.ends_with(suffix) && heads.find(column.substr(0, column.size() - suffix.size())) != nullptr)
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
    if (std::ranges::count(kSignedAxes, column.name) > 0) columns.push_back(kAbsolute + column.name);
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
    if (std::ranges::count(known, metric) == 0)
      throw UsageError("no input has the metric \"" + metric + "\"" + didYouMean(metric, known));
  }
  std::vector<std::string> chosen;
  std::ranges::copy_if(known, std::back_inserter(chosen),
                       [&](const std::string& metric) { return std::ranges::count(wanted, metric) > 0; });
  return chosen;
}

// ---- Names of inputs

// Names of columns that occur next to those named after inputs.
constexpr const char* kReserved[] = {"layer", "head", "metric", "group", "setting"};

std::string stemOf(const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  for (const std::string suffix : {".analysis.h5", ".h5", ".hdf5"}) {
    if (name.size() > suffix.size() && name.ends_with(suffix))
      return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

std::string proposedName(const std::vector<ComparisonInput>& inputs, const std::vector<std::string>& models,
                         std::size_t i) {
  if (!inputs[i].name.empty()) return inputs[i].name;
  const std::string stem = stemOf(inputs[i].file);
  const bool onlyOne = std::count(models.begin(), models.end(), models[i]) == 1;
  if (!models[i].empty() && (onlyOne || stem.empty())) return models[i];
  return stem.empty() ? "input" : stem;
}

// "a" for "a 2" to "a 99", names that the program proposes while "a" exists.
std::string withoutNumber(const std::string& name) {
  const std::size_t blank = name.rfind(' ');
  const std::string_view number =
      blank == std::string::npos ? std::string_view() : std::string_view(name).substr(blank + 1);
  const bool proposed = !number.empty() && number.size() <= 2 && number != "1" && number.front() != '0' &&
                        number.find_first_not_of("0123456789") == std::string_view::npos;
  return proposed ? name.substr(0, blank) : name;
}

// [inputs] Differing settings of inputs of one model whose files differ only in such a number; "" for others.
std::vector<std::string> namesBySettings(const std::vector<ComparisonInput>& inputs,
                                         const std::vector<std::string>& models) {
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string stem = stemOf(inputs[i].file);
    if (inputs[i].name.empty() && !stem.empty()) alike[models[i] + "\n" + withoutNumber(stem)].push_back(i);
  }
  std::vector<std::string> names(inputs.size());
  for (const auto& [key, places] : alike) {
    std::vector<Json> settings;
    for (const std::size_t i : places) {
      const AnalysisProvenance& of = inputs[i].analysis->provenance;
      settings.push_back(tellingSettings(of.capture, of.settings));
    }
    const std::vector<std::string> texts = differenceTexts(settings);
    const std::set<std::string> distinct(texts.begin(), texts.end());
    if (distinct.size() < places.size() || distinct.contains("")) continue;
    for (std::size_t i = 0; i < places.size(); ++i) names[places[i]] = texts[i];
  }
  return names;
}

// Resolved number of bins, from the first head.
std::int64_t binCount(const AnalysisFile& analysis) {
  const Table* profile = analysis.leftOut.contains("profile") ? nullptr : analysis.find("profile");
  double bins = 0;
  for (std::size_t row = 0; profile != nullptr && row < profile->rows(); ++row) {
    const double bin = numberAt(*profile, "bin", row);
    if (!(bin >= bins)) break;  // the next head
    bins = bin + 1;
  }
  return static_cast<std::int64_t>(bins);
}

ComparedModel comparedModel(const ComparisonInput& input, std::string name) {
  ComparedModel model;
  model.name = std::move(name);
  model.analysis = model.whole = input.analysis;
  model.look = input.look;
  model.facts = factsOf(*input.analysis);
  const auto published = publishedIdOf(input.analysis->provenance.captureFile);
  model.published = published.has_value();
  model.reference = referenceOf(*input.analysis, model.facts);
  model.family = model.reference ? model.reference->family : model.facts.architecture;
  model.heads = headsOf(*input.analysis);
  model.replicates = std::make_shared<const TextReplicates>(input.analysis);
  model.bins = binCount(*input.analysis);
  if (model.heads.empty() && !model.published)
    throw InputError({input.file, "table heads", "at least one head", "none"});
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
  throw UsageError("the metric \"" + column + "\" is not compared" + didYouMean(column, metrics));
}

bool Comparison::has(const std::string& column) const {
  return std::ranges::count(metrics, column) > 0;
}

std::vector<const AnalysisFile*> ownAnalyses(const Comparison& comparison) {
  std::vector<const AnalysisFile*> own;
  for (const ComparedModel& model : comparison.models) {
    if (!model.published) own.push_back(model.analysis.get());
  }
  return own;
}

ShownPlasticity comparedPlasticity(const Comparison& comparison, ApKind wanted, bool published) {
  const auto own = ownAnalyses(comparison);
  return shownPlasticity(own, wanted, published || own.size() < comparison.models.size());
}

std::string shownMetric(const Comparison& comparison, const std::string& metric) {
  const ShownPlasticity& shown = comparison.plasticity;
  return shown.note.empty() ? metric : columnAs(shown.kind, metric);
}

namespace {

// Tables of single heads restricted to these heads; without summaries over all.
std::shared_ptr<const AnalysisFile> onlyHeads(const AnalysisFile& whole, const std::vector<HeadName>& heads) {
  auto part = std::make_shared<AnalysisFile>();
  part->provenance = whole.provenance;
  part->leftOut = whole.leftOut;
  std::vector<std::string> names = {"heads", "jackknife", "texts", "loss", "loss_texts"};
  for (const ApKind kind : {ApKind::Binned, ApKind::Aligned})
    names.insert(names.end(), {placeOf(kind).profile, placeOf(kind).map});
  for (const std::string& name : names) {
    const Table* table = whole.leftOut.contains(name) ? nullptr : whole.find(name);
    if (table == nullptr || part->find(name) != nullptr) continue;
    part->tables.push_back(*table);
    if (table->find("head") == nullptr) continue;
    const auto runs = whole.headIndex.of(*table)->where(
        [&](HeadName head) { return std::ranges::binary_search(heads, head); });
    for (Column& column : part->tables.back().columns) {
      std::visit(
          [&runs](auto& values) {
            std::remove_reference_t<decltype(values)> kept;
            for (const RowRun& run : runs)
              for (std::size_t row = run.first; row < run.end; ++row) kept.push_back(values[row]);
            values = std::move(kept);
          },
          column.values);
    }
  }
  return part;
}

void keepHeads(ComparedModel& model, const std::vector<HeadName>& heads) {
  if (model.published || model.heads.size() == heads.size()) return;
  ComparedModel part = comparedModel({"", "", onlyHeads(*model.whole, heads), model.look}, model.name);
  part.facts = model.facts;
  part.whole = model.whole;
  part.change = model.change;
  model = std::move(part);
}

void keepGroup(Comparison& comparison, const HeadGroup& group) {
  const ComparedModel first = comparison.models.front();
  const HeadMatching matching = headMatchingOf(comparison);
  for (ComparedModel& model : comparison.models) {
    if (model.published) continue;
    const std::vector<HeadName> heads = carriedGroup(group, first, model, matching).heads;
    if (heads.empty())
      throw UsageError("no captured head of " + model.name + " matches group \"" + group.name + "\"");
    keepHeads(model, heads);
  }
}

void keepCommonHeads(Comparison& comparison) {
  const std::vector<HeadName> common = commonHeads(comparison);
  if (common.empty() || headMatchingOf(comparison) != HeadMatching::SameHead) return;
  for (ComparedModel& model : comparison.models) keepHeads(model, common);
}

}  // namespace

Comparison makeComparison(const std::vector<ComparisonInput>& inputs, const ComparisonOptions& options) {
  if (inputs.empty()) throw UsageError("nothing to compare: give at least one analysis or capture");
  const std::vector<std::string> names = uniqueInputNames(inputs);
  Comparison comparison;
  comparison.options = options;
  const std::vector<std::string> changes = changeTexts(inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    comparison.models.push_back(comparedModel(inputs[i], names[i]));
    comparison.models.back().change = changes[i];
  }
  if (options.group) keepGroup(comparison, *options.group);
  if (options.commonHeads) keepCommonHeads(comparison);
  comparison.metrics = chosenMetrics(allMetrics(comparison.models), options.metrics);
  for (ComparedModel& model : comparison.models) {
    for (const std::string& metric : comparison.metrics) model.values.push_back(model.column(metric));
  }
  comparison.plasticity = comparedPlasticity(comparison, options.plasticity, false);
  return comparison;
}

const ComparedModel* leaderOf(const Comparison& comparison) {
  const auto leader = std::ranges::find(comparison.models, false, &ComparedModel::published);
  return leader == comparison.models.end() ? nullptr : &*leader;
}

ComparedName comparedName(const ComparedModel& model) {
  return {model.name, model.facts.architecture.empty() ? model.family : model.facts.architecture,
          captureDigestOf(*model.analysis), model.look};
}

std::optional<ReferenceModel> referenceOf(const AnalysisFile& analysis, const StudyFacts& facts) {
  const auto published = publishedIdOf(analysis.provenance.captureFile);
  return published ? requiredReferenceModel(*published) : recogniseReferenceModel(facts.model);
}

std::string captureDigestOf(const AnalysisFile& analysis) {
  const AnalysisProvenance& of = analysis.provenance;
  if (publishedIdOf(of.captureFile)) return of.captureFile;
  return StudyId{of.captureFingerprint, of.captureSettingsHash, {}}.captureDigest();
}

std::vector<HeadName> commonHeads(const Comparison& comparison) {
  const ComparedModel* leader = leaderOf(comparison);
  if (leader == nullptr) return {};
  std::vector<HeadName> common = leader->heads;
  std::sort(common.begin(), common.end());
  for (const ComparedModel& model : comparison.models) {
    if (model.published) continue;
    std::vector<HeadName> heads = model.heads, both;
    std::sort(heads.begin(), heads.end());
    std::set_intersection(common.begin(), common.end(), heads.begin(), heads.end(), std::back_inserter(both));
    common = std::move(both);
  }
  return common;
}

std::vector<std::string> uniqueInputNames(const std::vector<ComparisonInput>& inputs) {
  std::vector<std::string> models, names;
  for (const ComparisonInput& input : inputs) models.push_back(factsOf(*input.analysis).model);
  std::set<std::string> used(std::begin(kReserved), std::end(kReserved));
  const std::vector<std::string> changes = changeTexts(inputs), own = namesBySettings(inputs, models);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::string proposed = own[i].empty() ? proposedName(inputs, models, i) : own[i];
    if (own[i].empty() && inputs[i].name.empty() && !changes[i].empty()) proposed += " (" + changes[i] + ")";
    std::string name = proposed;
    for (int number = 2; used.contains(name) || used.contains(name + "_difference"); ++number)
      name = proposed + " " + std::to_string(number);
    used.insert(name);
    used.insert(name + "_difference");
    names.push_back(name);
  }
  return names;
}

std::vector<std::string> withoutOwners(const std::vector<std::string>& names) {
  std::vector<std::string> tails;
  for (const std::string& name : names) tails.push_back(name.substr(name.rfind('/') + 1));
  const std::set<std::string> different(tails.begin(), tails.end());
  return different.size() < tails.size() || different.contains("") ? names : tails;
}

std::vector<std::string> withoutCommonStart(const std::vector<std::string>& names) {
  if (names.size() < 2) return names;
  const std::string& first = names.front();
  std::size_t start = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool all = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      return i + 1 < name.size() && name[i] == first[i];
    });
    if (!all) break;
    if (std::string_view(" -_/.:").find(first[i]) != std::string_view::npos) start = i + 1;
  }
  std::vector<std::string> rests;
  for (const std::string& name : names) rests.push_back(name.substr(start));
  return rests;
}

std::vector<std::string> withoutCommonEnd(const std::vector<std::string>& names) {
  std::vector<std::string> turned = names;
  for (std::string& name : turned) std::ranges::reverse(name);
  turned = withoutCommonStart(turned);
  for (std::string& name : turned) std::ranges::reverse(name);
  return turned;
}

// Counts bytes that begin a character.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

namespace {

// The first `count` characters.
std::string firstCharacters(const std::string& text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && count-- == 0) break;
  }
  return text.substr(0, at);
}

}  // namespace

std::vector<std::string> shortNames(const std::vector<std::string>& names, std::size_t longest) {
  std::vector<std::string> shown = withoutCommonStart(withoutOwners(names));
  const auto isLong = [longest](const std::string& name) { return characters(name) > longest; };
  if (std::ranges::any_of(shown, isLong)) shown = withoutCommonEnd(shown);
  const auto shortened = [&](const std::string& name) {
    if (!isLong(name)) return name;
    const std::string start = firstCharacters(name, longest / 2);
    return start + "\u2026" + name.substr(firstCharacters(name, characters(name) - longest / 2).size());
  };
  std::map<std::string, std::vector<std::size_t>> alike;  // names that would become equal
  for (std::size_t i = 0; i < shown.size(); ++i) alike[shortened(shown[i])].push_back(i);
  for (const auto& [name, places] : alike) {
    std::vector<std::string> own;
    for (const std::size_t place : places) own.push_back(shown[place]);
    if (own.size() > 1) own = withoutCommonEnd(own);
    for (std::size_t i = 0; i < places.size(); ++i) shown[places[i]] = shortened(own[i]);
  }
  return shown;
}

namespace {

// Names in natural order; models of the thesis in its order, which for checkpoints is that of the run.
std::vector<std::string> orderedNames(const Comparison& comparison) {
  const std::vector<ReferenceModel>& published = referenceModels();
  std::vector<std::string> names;
  for (const ComparedModel& model : comparison.models) {
    names.push_back(model.name);
    if (!model.reference) continue;
    const auto place = std::ranges::find(published, model.reference->id, &ReferenceModel::id);
    names.back() =
        model.reference->family + " " + std::to_string(place - published.begin()) + " " + model.name;
  }
  return names;
}

}  // namespace

void sortModels(Comparison& comparison, CompareOrder order) {
  if (order == CompareOrder::Given) return;
  std::map<const AnalysisFile*, std::string> names;
  const std::vector<std::string> ordered = orderedNames(comparison);
  for (std::size_t i = 0; i < ordered.size(); ++i) names[comparison.models[i].analysis.get()] = ordered[i];
  const auto byName = [&names](const ComparedModel& a, const ComparedModel& b) {
    return naturallyBefore(names.at(a.analysis.get()), names.at(b.analysis.get()));
  };
  const auto measureOf = [order](const ComparedModel& model) {
    const StudyFacts& facts = model.facts;
    return order == CompareOrder::Tokens  ? facts.window
           : order == CompareOrder::Depth ? facts.layers
                                          : facts.layers * facts.queryHeads * facts.headDim;
  };
  std::stable_sort(comparison.models.begin(), comparison.models.end(),
                   [&](const ComparedModel& a, const ComparedModel& b) {
                     if (order == CompareOrder::Name) return byName(a, b);
                     if (order == CompareOrder::Date)
                       return a.analysis->provenance.created < b.analysis->provenance.created;
                     return measureOf(a) != measureOf(b) ? measureOf(a) < measureOf(b) : byName(a, b);
                   });
}

}  // namespace plastiscope
