#include "core/jobs/study_server.h"

#include <algorithm>
#include <optional>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/option.h"
#include "core/base/parsed_number.h"
#include "core/compare/compared_profiles.h"
#include "core/compare/head_distributions.h"
#include "core/compare/model_series.h"
#include "core/figures/figures.h"
#include "core/figures/plot_json.h"
#include "core/jobs/attended_job.h"
#include "core/jobs/inspect_job.h"
#include "core/views/head_filter.h"
#include "core/views/head_sentence.h"
#include "core/views/study_notes.h"

namespace plastiscope {

namespace {

constexpr PageRoom kTextRoom{80, 18};  // tokens of one answer: a screen of text
constexpr int kPartColumns = 2;

// A request with its study.
struct Asked {
  const StudyServer& server;
  const ServedStudy& served;
  const RequestParameters& parameters;

  const Study& study() const { return *served.study; }
  const AnalysisFile& analysis() const { return *study().analysis; }
  ApKind kind() const { return served.shown.kind; }
  std::string text(const std::string& key, const std::string& otherwise = {}) const {
    const auto found = parameters.find(key);
    return found == parameters.end() || found->second.empty() ? otherwise : found->second;
  }
  std::optional<std::int64_t> whole(const std::string& key) const {
    const std::string given = text(key);
    if (given.empty()) return std::nullopt;
    const auto number = parsedNumber<std::int64_t>(given);
    if (!number || *number < 0) throw UsageError(key + ": expected a whole number, found " + given);
    return number;
  }
  template <typename Choice>
  Choice choice(const std::string& key) const {
    const auto names = namesOf(Choice());
    const std::string given = text(key, names.front());
    requireWord(key, given, {names.begin(), names.end()});
    return static_cast<Choice>(std::ranges::find(names, given) - names.begin());
  }
  HeadName head() const {
    const std::string given = text("head");
    const auto heads = given.empty() ? std::vector<HeadName>() : parseHeadList(given);
    if (heads.size() != 1) throw UsageError("head: expected one head such as L5H1, found \"" + given + "\"");
    requireScope(analysis(), {heads.front(), {}});
    return heads.front();
  }
  HeadScope scope() const { return {head(), {}}; }
  std::string metric() const {
    return requiredMetric(requiredTable(analysis(), "heads"), text("metric", columnAs(kind(), "ap_overall")))
        .column;
  }
  std::int64_t example() const {
    const std::int64_t example = whole("text").value_or(0);
    const std::int64_t texts = std::ssize(served.facts.exampleIds);
    if (example >= texts)
      throw UsageError("text: expected a number below " + std::to_string(texts) + ", found " +
                       std::to_string(example));
    return example;
  }
  QueryChoice query() const {
    const auto position = whole("query");
    return position ? queryAt(study(), head(), {example(), *position})
                    : lastQuery(study(), head(), example());
  }
};

Plot planeView(const Asked& asked, PlaneData (*make)(const Study&, HeadName)) {
  const auto data = std::make_shared<const PlaneData>(make(asked.study(), asked.head()));
  if (!data->missing.empty()) throw InputError(data->missing);
  const auto by = asked.choice<RowColour>("colour");
  const TokenTypes types = by == RowColour::TokenType ? tokenTypesOf(*asked.study().capture) : TokenTypes();
  return planePlot(data, colourRows(*data, by, &types));
}

// pairs = all: with every pair, as in the window, which takes longer.
MapData mapOf(const Asked& asked) {
  Progress silent;
  if (asked.text("pairs") == "all" && canRefineMap(asked.study()))
    return makeExactMap(asked.study(), asked.head(), asked.kind(), silent);
  return makeMap(asked.analysis(), asked.scope(), asked.kind());
}

Plot textView(const Asked& asked) {
  const Study& study = asked.study();
  const auto example = asked.example();
  const TextDocument document =
      makeTextDocument(exampleLabel(asked.served.facts.exampleIds, static_cast<std::int32_t>(example)),
                       study.capture->tokenTexts(example));
  if (document.size() == 0) throw InputError(kNoWords);
  HeadText text = makeHeadText(study, asked.head(), example);
  if (!text.missing.empty()) throw InputError(text.missing);
  const auto measure = asked.choice<TokenMeasure>("measure");
  if (measure == TokenMeasure::Plasticity)
    addPlasticity(text, inspectRows(*study.capture, asked.head(), settingsOf(asked.analysis()), Progress()));
  if (isOfQuery(measure) || asked.whole("query"))
    addScores(text, makeQueryScores(study, asked.head(), asked.query()));
  const QueryOrKey rows =
      isOfQuery(measure) || asked.text("rows") == "key" ? QueryOrKey::Key : QueryOrKey::Query;
  return excerptPlot(std::make_shared<const TextExcerpt>(
      makeTextExcerpt(document, text, rows, measure, {asked.whole("first"), 0}, kTextRoom)));
}

Plot keysView(const Asked& asked) {
  const QueryKeys keys = makeQueryKeys(asked.study(), asked.head(), asked.query());
  if (keys.strongest.empty())
    throw InputError("no key of " + keys.head.text() + " was captured before token " +
                     withCommas(keys.scores.position) + " of " + keys.text);
  return queryKeysPlot(keys);
}

template <std::size_t index>
Plot causalView(const Asked& asked) {
  const CausalFigure& figure = causalFigures()[index];
  return figure.plot(requiredTable(asked.analysis(), figure.table));
}

std::string comparedMetric(const Asked& asked) {
  const Comparison& comparison = *asked.server.comparison();
  return comparison
      .metrics[comparison.metric(asked.text("metric", columnAs(comparison.plasticity.kind, "ap_overall")))];
}

struct View : StudyView {
  Plot (*plot)(const Asked&);
  const char* table = nullptr;  // which the analysis must have
};

// The first three have places of their own on the page; the others are chosen from a list.
const View kViews[] = {
    {{"plane", "{a, b} plane", ViewOf::Rows}, [](const Asked& a) { return planeView(a, makeAbPlane); }},
    {{"profile", "Profile", ViewOf::Head},
     [](const Asked& a) { return profilePlot(makeProfile(a.served.field, a.head())); }},
    {{"map", "Plasticity map", ViewOf::Head}, [](const Asked& a) { return mapPlot(mapOf(a)); }},
    {{"text", "Text", ViewOf::Text}, textView},
    {{"keys", "Keys of a query", ViewOf::Text}, keysView},
    {{"attended", "What a head looks at", ViewOf::Rows},
     [](const Asked& a) {
       return attendedPlot(makeAttended(a.study(), a.head(), {}, Progress()), kPartColumns);
     }},
    {{"pca", "PC0 and PC1", ViewOf::Rows}, [](const Asked& a) { return planeView(a, makePcaPlane); }},
    {{"components", "Principal components", ViewOf::Head},
     [](const Asked& a) { return componentsPlot(makeComponents(a.analysis(), a.scope())); }},
    {{"placement", "Placement and content", ViewOf::Head},
     [](const Asked& a) { return placementPlot(makePlacement(a.analysis(), a.scope())); },
     "placement"},
    {{"salience", "Position and salience", ViewOf::Head},
     [](const Asked& a) { return saliencePlot(makeSalience(a.analysis(), a.scope())); },
     "salience"},
    {{"softmax", "Softmax by position", ViewOf::Head},
     [](const Asked& a) { return softmaxPlot(makeSoftmax(a.analysis(), a.scope())); },
     "softmax"},
    {{"compare", "Comparison of profiles", ViewOf::Studies},
     [](const Asked& a) { return comparePlot(compareProfiles(*a.server.comparison())); }},
    {{"compare-metric", "Comparison of a metric", ViewOf::Studies},
     [](const Asked& a) { return barsPlot(makeModelBars(*a.server.comparison(), comparedMetric(a))); }},
    {{"compare-depth", "Comparison by depth", ViewOf::Studies},
     [](const Asked& a) {
       return comparedDepthsPlot(compareDepths(*a.server.comparison(), comparedMetric(a)));
     }},
    {{"depth", "Metric by layer", ViewOf::Metric},
     [](const Asked& a) { return depthPlot(makeDepth(a.analysis(), a.served.facts, a.metric())); }},
    {{"taxonomy", "Taxonomy", ViewOf::Study},
     [](const Asked& a) { return taxonomyPlot(makeTaxonomy(a.analysis(), {})); }},
    {{"probes", "Probes", ViewOf::Study}, causalView<0>, "probes"},
    {{"retrieval", "Heads by retrieval score", ViewOf::Study}, causalView<1>, "retrieval"},
    {{"doses", "Cost of changed heads", ViewOf::Study}, causalView<2>, "effects"},
};

bool hasData(const View& view, const ServedStudy& served, const Comparison* comparison) {
  const bool rows = view.of == ViewOf::Rows || view.of == ViewOf::Text;
  return (!rows || served.study->capture) && (view.of != ViewOf::Studies || comparison != nullptr) &&
         (view.table == nullptr || served.study->analysis->find(view.table) != nullptr);
}

Json headAnswer(const Asked& asked) {
  const Table& heads = requiredTable(asked.analysis(), "heads");
  const MapData map = makeMap(asked.analysis(), asked.scope(), asked.kind());
  return {{"sentence", wholeSentence(heads, headRow(heads, asked.head()).value_or(0), &map, asked.kind())}};
}

// Rows of the table that pass the filter of the window.
Json filterAnswer(const Asked& asked) {
  const Table& heads = requiredTable(asked.analysis(), "heads");
  HeadSets sets;
  StudyNotes notes;
  if (!asked.study().file.empty())
    notes = StudyNotes::fromJson(notesFile(notesFileOf(asked.study().file)).read());
  sets.groups = notes.groups;
  const std::vector<HeadName> names = headsOf(heads);
  sets.starred = [&](std::size_t row) { return notes.starred.contains(names[row]); };
  const HeadFilter filter(asked.text("expression"), heads, sets);
  Json rows = Json::array();
  for (std::size_t row = 0; row < heads.rows(); ++row)
    if (filter.matches(row)) rows.push_back(row);
  return {{"rows", std::move(rows)}};
}

Json answerOf(const StudyServer& server, const StudyRequest& request) {
  const auto index = Asked{server, server.studies().front(), request.parameters}.whole("study").value_or(0);
  if (index >= std::ssize(server.studies()))
    throw UsageError("study: expected a number below " + std::to_string(server.studies().size()));
  const Asked of{server, server.studies()[static_cast<std::size_t>(index)], request.parameters};
  if (request.path == "study") return studyAnswer(server, of.served);
  if (request.path == "head") return headAnswer(of);
  if (request.path == "filter") return filterAnswer(of);
  if (request.path == "lines") return {{"y", roundedNumbers(of.served.field->ap)}};
  const auto view = std::ranges::find(kViews, request.path, &View::path);
  if (view == std::end(kViews)) throw UsageError("there is no view \"" + request.path + "\"");
  if (!hasData(*view, of.served, server.comparison()))
    throw InputError(std::string("this study has no data for \"") + view->title + "\"");
  PlotJsonOptions options;
  options.rows = server.options().rows;
  if (request.path == "profile") options.lines = of.served.lines;
  return plotJson(view->plot(of), options);
}

}  // namespace

std::string StudyRequest::text() const {
  std::string text = path;
  for (const auto& [key, value] : parameters) text += (text == path ? "?" : "&") + key + "=" + value;
  return text;
}

StudyServer::StudyServer(std::vector<std::shared_ptr<const Study>> studies, const StudyServerOptions& options)
    : m_options(options) {
  std::vector<ComparisonInput> inputs;
  for (auto& study : studies) {
    const ShownPlasticity shown = shownPlasticity(*study->analysis, options.plasticity);
    StudyRequest lines{"lines"};
    if (!m_studies.empty()) lines.parameters["study"] = std::to_string(m_studies.size());
    inputs.push_back({"", study->file.empty() ? study->title : study->file, study->analysis});
    m_studies.push_back(
        {study, factsOf(*study), shown, makeProfileFields(*study->analysis, {}, shown.kind), lines.text()});
  }
  if (m_studies.size() > 1) {
    ComparisonOptions wanted;
    wanted.plasticity = options.plasticity;
    m_comparison = std::make_unique<const Comparison>(makeComparison(inputs, wanted));
  }
}

Json StudyServer::answer(const StudyRequest& request) const {
  try {
    return answerOf(*this, request);
  } catch (const FilterError& error) {
    return {{"error", error.what()}, {"position", error.position}};
  } catch (const InputError& error) {
    return {{"error", error.what()}};
  } catch (const UsageError& error) {
    return {{"error", error.what()}};
  }
}

std::vector<StudyView> StudyServer::views(const ServedStudy& study) const {
  std::vector<StudyView> views;
  for (const View& view : kViews)
    if (hasData(view, study, comparison())) views.push_back(view);
  return views;
}

}  // namespace plastiscope
