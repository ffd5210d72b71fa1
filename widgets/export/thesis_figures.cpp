#include "widgets/export/thesis_figures.h"

#include <algorithm>

#include "core/base/error.h"
#include "widgets/export/figure_panels.h"

namespace plastiscope {

namespace {

const ThesisFigure& figureOf(const std::string& id) {
  for (const ThesisFigure& figure : thesisFigures()) {
    if (id == figure.id) return figure;
  }
  throw Error(ErrorKind::Internal, id + " is no figure of the thesis");
}

// What the figure that draws it takes, less what the entry decides.
FigureKind kindOf(const ThesisFigure& figure) {
  const FigureKind& base = figureKind(figure.kind);
  FigureKind kind = base;
  kind.id = figure.id;
  kind.title = figure.title;
  if (base.head == HeadNeed::Optional) kind.head = HeadNeed::None;
  std::erase_if(kind.options, [](FigureOption option) {
    return option == FigureOption::Metric || option == FigureOption::Against ||
           option == FigureOption::Panels || option == FigureOption::Layer;
  });
  kind.proportion = figure.proportion;
  kind.prepare = thesisFigure;
  kind.published = figure.published != nullptr;
  kind.tall = true;
  kind.columns = figure.columns;
  kind.leastPanelInches = figure.leastPanelInches;
  kind.byFamily = *figure.panels != '\0';
  if (*figure.heads != '\0') kind.usualHeads = parseHeadList(figure.heads);
  return kind;
}

// Panels of the usual heads are those of the thesis' model.
void requireUsualHeads(const ThesisFigure& figure, const Study& study) {
  const auto captured = headsOf(*study.analysis);
  for (const HeadName& head : parseHeadList(figure.heads)) {
    if (std::find(captured.begin(), captured.end(), head) == captured.end())
      throw UsageError("figure " + std::string(figure.id) + " shows " + figure.heads +
                       " of Llama-3.2-3B, and " + head.text() + " was not captured: name others with --head");
  }
}

FigureContent publishedFigure(const ThesisFigure& figure, FigureSpec spec) {
  std::vector<ContentPanel> panels;
  for (const std::string& metric : FigureSpec(spec).metrics()) {
    spec.metric = metric;
    panels.push_back({"", figure.published(figure, spec)});
  }
  return composePanels(std::move(panels), spec.columns);
}

}  // namespace

const std::vector<FigureKind>& thesisKinds() {
  static const std::vector<FigureKind> kinds = [] {
    std::vector<FigureKind> made;
    for (const ThesisFigure& figure : thesisFigures()) made.push_back(kindOf(figure));
    return made;
  }();
  return kinds;
}

FigureContent thesisFigure(const Studies& studies, const FigureSpec& spec) {
  const ThesisFigure& figure = figureOf(spec.figure);
  FigureSpec own = spec;
  own.figure = figure.kind;
  own.metric = figure.metric;
  own.against = figure.against;
  own.panels = *figure.panels == '\0' ? PanelsOf::Usual : PanelsOf::Family;
  if (own.columns == 0) own.columns = columnsOf(figureKind(spec.figure), spec);
  if (studies.empty()) return publishedFigure(figure, own);
  if (*figure.heads != '\0' && !own.scope.head && own.heads.empty()) {
    requireUsualHeads(figure, *studies.front());
    useHeads(own, figure.heads);
  }
  return prepareFigure(studies, own);
}

}  // namespace plastiscope
