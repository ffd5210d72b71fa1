// Figures of one head on a text: a page of the document, and the keys of a query.
#include <algorithm>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/figures/figures.h"
#include "core/jobs/inspect_job.h"
#include "widgets/export/figure_makers.h"

namespace plastiscope {

namespace {

constexpr double kLeastPoints = 6;  // smallest font for a requested number of tokens

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

}  // namespace

FigureContent textFigure(const Study& study, const FigureSpec& spec) {
  const HeadName head = *spec.scope.head;
  const std::int64_t example = exampleNamed(study, spec.text);
  const TextDocument document =
      makeTextDocument(exampleLabel(factsOf(study).exampleIds, static_cast<std::int32_t>(example)),
                       study.capture->tokenTexts(example));
  if (document.size() == 0) throw InputError(kNoWords);
  HeadText text = makeHeadText(study, head, example);
  if (!text.missing.empty()) throw InputError(text.missing);
  const bool scores = spec.tokenColour == TokenMeasure::Score;
  if (spec.tokenColour == TokenMeasure::Plasticity)
    addPlasticity(text, inspectRows(*study.capture, head, settingsOf(*study.analysis), Progress()));
  if (scores || spec.query) addScores(text, makeQueryScores(study, head, queryOf(study, spec, example)));
  const FigureSize size = resolveSize(spec);
  const double points = spec.tokens > 0 ? std::min(kLeastPoints, size.tickPoints) : size.tickPoints;
  const auto excerpt = std::make_shared<const TextExcerpt>(
      makeTextExcerpt(document, text, scores ? QueryOrKey::Key : spec.tokenRows, spec.tokenColour,
                      {spec.firstToken, spec.tokens}, excerptRoom(size, points)));
  return {excerptPlot(excerpt), tableOf(*excerpt), ""};
}

FigureContent keysFigure(const Study& study, const FigureSpec& spec) {
  const QueryKeys keys =
      makeQueryKeys(study, *spec.scope.head, queryOf(study, spec, exampleNamed(study, spec.text)));
  if (keys.strongest.empty())
    throw InputError("no key of " + keys.head.text() + " was captured before token " +
                     withCommas(keys.scores.position) + " of " + keys.text);
  constexpr double kBothInches = 2.6;  // below this width the bars have no space for names
  return {queryKeysPlot(keys, resolveSize(spec).heightInches >= kBothInches), tableOf(keys), ""};
}

}  // namespace plastiscope
