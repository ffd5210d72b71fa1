// Figures of one head and its rows: a page of a text, the keys of a query, the pairs outside the plane.
#include <algorithm>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/compare/head_distributions.h"
#include "core/compare/model_series.h"
#include "core/figures/figures.h"
#include "core/jobs/attended_job.h"
#include "core/jobs/attention_map.h"
#include "core/jobs/inspect_job.h"
#include "core/views/complement_data.h"
#include "core/views/figure_tables.h"
#include "widgets/export/study_figures.h"

namespace plastiscope {

namespace {

constexpr double kLeastPoints = 6;            // smallest font for a requested number of tokens
constexpr std::size_t kComplementPairs = 30;  // 5 x 6 panels, as in ROT-08

std::int64_t exampleNamed(const Study& study, const std::string& id) {
  const std::vector<std::string> ids = factsOf(study).exampleIds;
  if (id.empty()) return 0;
  const auto found = std::ranges::find(ids, id);
  if (found == ids.end())
    throw UsageError("no text \"" + id + "\" was captured" + didYouMean(id, ids, ": " + joined(ids)));
  return found - ids.begin();
}

QueryChoice queryOf(const Study& study, const FigureSpec& spec, std::int64_t example) {
  return spec.query ? queryAt(study, *spec.scope.head, {example, *spec.query})
                    : lastQuery(study, *spec.scope.head, example);
}

FigureContent textFigure(const Study& study, const FigureSpec& spec) {
  const HeadName head = *spec.scope.head;
  const std::int64_t example = exampleNamed(study, spec.text);
  const TextDocument document =
      makeTextDocument(exampleLabel(factsOf(study).exampleIds, static_cast<std::int32_t>(example)),
                       study.capture->tokenTexts(example));
  if (document.size() == 0) throw InputError(kNoWords);
  HeadText text = makeHeadText(study, head, example);
  if (!text.missing.empty()) throw InputError(text.missing);
  const bool scores = isOfQuery(spec.tokenColour);
  if (spec.tokenColour == TokenMeasure::Plasticity)
    addPlasticity(text, inspectRows(*study.capture, head, settingsOf(*study.analysis), Progress()));
  if (scores || spec.query) addScores(text, makeQueryScores(study, head, queryOf(study, spec, example)));
  const FigureSize size = resolveSize(spec);
  const double points = spec.tokens > 0 ? std::min(kLeastPoints, size.tickPoints) : size.tickPoints;
  const auto excerpt = std::make_shared<const TextExcerpt>(
      makeTextExcerpt(document, text, scores ? QueryOrKey::Key : spec.tokenRows, spec.tokenColour,
                      {spec.firstToken, spec.tokens}, excerptRoom(size, points)));
  return {excerptPlot(excerpt), tableOf(*excerpt)};
}

FigureContent keysFigure(const Study& study, const FigureSpec& spec) {
  const QueryKeys keys =
      makeQueryKeys(study, *spec.scope.head, queryOf(study, spec, exampleNamed(study, spec.text)));
  if (keys.strongest.empty())
    throw InputError("no key of " + keys.head.text() + " was captured before token " +
                     withCommas(keys.scores.position) + " of " + keys.text);
  constexpr double kBothInches = 2.6;  // below this width the bars have no space for names
  return {queryKeysPlot(keys, resolveSize(spec).heightInches >= kBothInches), tableOf(keys)};
}

FigureContent attendedFigure(const Study& study, const FigureSpec& spec) {
  const AttendedData data = makeAttended(study, *spec.scope.head, spec.attended, Progress());
  return {attendedPlot(data, columnsOf(figureKind("attended"), spec)),
          joinPanels({{"attended", attendedTable(data)},
                      {"steps", attendedSteps(data)},
                      {"queries", attendedQueries(data)}})};
}

FigureContent attentionFigure(const Study& study, const FigureSpec& spec) {
  constexpr std::int64_t kCells = 256;  // a side, at most: the table has a line for each
  const AttentionMap map(study, *spec.scope.head, exampleNamed(study, spec.text));
  const AttentionData data = map.view({spec.attention.quantity, spec.queries, spec.keys, kCells, kCells},
                                      AttentionMap::Precision::Exact, Progress());
  return {attentionPlot(data, {spec.attention, spec.range, spec.query}), tableOf(data)};
}

FigureContent complementFigure(const Study& study, const FigureSpec& spec) {
  const auto data = std::make_shared<const ComplementData>(
      makeComplement(study, *spec.scope.head, kComplementPairs, kVectorPointLimit));
  if (!data->missing.empty()) throw InputError(data->missing);
  return {complementPlot(data), tableOf(*data)};
}

}  // namespace

std::vector<FigureKind> headFigures() {
  using enum HeadNeed;
  return {
      {.id = "text",
       .title = "Text",
       .head = Required,
       .options = {"text", "first_token", "tokens", "query", "token_colour", "token_rows"},
       .proportion = 0.7,
       .prepare = ofOne<textFigure>,
       .needsRows = true,
       .needsTexts = true},
      {.id = "keys",
       .title = "Keys of a query",
       .head = Required,
       .options = {"text", "query"},
       .proportion = 1.12,
       .prepare = ofOne<keysFigure>,
       .needsRows = true},
      {.id = "attended",
       .title = "What a head looks at",
       .head = Required,
       .options = {"query_texts", "query_positions", "query_types"},
       .proportion = 1.9,
       .prepare = ofOne<attendedFigure>,
       .needsRows = true,
       .tall = true,
       .columns = 2,
       .leastPanelInches = 2.5},
      {.id = "attention",
       .title = "Attention map",
       .head = Required,
       .options = {"text", "query", "quantity", "cells", "linear", "queries", "keys", "range"},
       .proportion = 0.86,
       .prepare = ofOne<attentionFigure>,
       .needsRows = true,
       .needsDense = true},
      {.id = kPageFigure,
       .title = "Page of panels",
       .head = Optional,
       .options = {"names", "intervals", "parts", "titles", "colour", "text", "first_token", "tokens",
                   "query", "token_colour", "token_rows", "plasticity", "quantity", "cells", "linear",
                   "queries", "keys"},
       .proportion = 0.78,
       .studies = {1, 32}},
      {.id = "complement",
       .title = "Pairs outside the plane",
       .head = Required,
       .proportion = 0.92,
       .prepare = ofOne<complementFigure>,
       .needsRows = true},
  };
}

}  // namespace plastiscope
