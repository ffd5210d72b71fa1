#include "figures/figure_cases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

#include "figures/figure_study.h"
#include "widgets/export/thesis_figures.h"

namespace plastiscope::test {

namespace {

// Thesis figures that need several models; the others are drawn from published numbers or from one model.
const std::map<std::string, std::size_t> kSeveral = {
    {"AP-05", 3}, {"PCA-02", 6}, {"PCA-12", 6}, {"ROT-04", 3}, {"ROT-07", 3}};

// Less plastic above the middle of the map and more below: a difference of both signs.
std::shared_ptr<const Study> withOtherMap(const Study& study) {
  auto analysis = std::make_shared<AnalysisFile>(*study.analysis);
  for (Table& table : analysis->tables) {
    if (table.name != "map" && table.name != "map_model") continue;
    const NumberColumn row(table, "midpoint_cell");
    for (Column& column : table.columns) {
      if (column.name != "pp") continue;
      auto& values = std::get<std::vector<double>>(column.values);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] *= 1.2 - 0.03 * row[i];
    }
  }
  auto other = std::make_shared<Study>(study);
  other->analysis = std::move(analysis);
  return other;
}

// A loss that falls over the window, in each study by more, and is lower at the end of passages seen before.
std::shared_ptr<const Study> withLosses(const Study& study, int place) {
  constexpr int kStretches = 20;
  auto analysis = std::make_shared<AnalysisFile>(*study.analysis);
  TableBuilder table("loss", {texts("part"), integers("from"), integers("to"), integers("tokens"),
                              numbers("nll"), numbers("perplexity")});
  const auto add = [&](const char* part, std::int64_t from, std::int64_t to, double nll) {
    table.row({std::string(part), from, to, std::int64_t{5000}, nll, std::exp(nll)});
  };
  const std::int64_t window = factsOf(study).window;
  const double more = 0.01 * place * place;
  add("all", 0, window, 2.5 + more);
  for (int i = 0; i < kStretches; ++i)
    add("position", window * i / kStretches, window * (i + 1) / kStretches,
        2.3 + 0.9 / (1 + i) + more * (0.4 + 0.06 * i));
  add("repeated", 0, window, 0.7 + 3 * more);
  add("first_occurrence", 0, window, 2.9 + more);
  analysis->tables.push_back(table.take());
  auto other = std::make_shared<Study>(study);
  other->analysis = std::move(analysis);
  return other;
}

}  // namespace

void PrintTo(const FigureCase& figure, std::ostream* out) {
  *out << figure.figure << " of " << figure.studies;
}

std::vector<FigureCase> figureCases() {
  std::vector<FigureCase> cases;
  for (const FigureKind& kind : figureKinds()) {
    if (kind.id == "drift") continue;  // reads the rows of files: test_own_data.cpp
    // Own studies in the benchmark need scores; without studies it shows the thesis' models.
    cases.push_back(
        {kind.id, Theme::Light, kind.studies.fewest == 0 ? 0 : std::min<std::size_t>(3, kind.studies.most)});
    cases.back().aligned = !kind.needsTable.empty();
  }
  for (const FigureKind& kind : thesisKinds()) {
    const auto several = kSeveral.find(kind.id);
    const std::size_t alone = kind.published ? 0 : 1;
    cases.push_back({kind.id, Theme::Light, several != kSeveral.end() ? several->second : alone});
  }
  return cases;
}

Studies studiesOf(const FigureCase& figure, std::int64_t rows) {
  if (figure.aligned) {
    Studies studies = studiesOf({figure.figure, figure.theme, figure.studies}, rows);
    for (auto& study : studies) study = withAligned(*study);
    return studies;
  }
  if (figureKind(figure.figure).needsLosses) {
    Studies studies = figureStudies(figure.studies, rows);
    for (std::size_t i = 0; i < studies.size(); ++i)
      studies[i] = withLosses(*studies[i], static_cast<int>(i));
    return studies;
  }
  if (figureKind(figure.figure).studies.most != 2) return figureStudies(figure.studies, rows);
  const Studies all = figureStudies(4, rows);
  return {all[0], withOtherMap(*all[3])};
}

FigureSpec specOf(const FigureCase& figure, double widthInches) {
  const FigureKind& kind = figureKind(figure.figure);
  FigureSpec spec;
  spec.figure = kind.id;
  spec.preset = "icml";
  spec.fontPoints = 8;
  spec.widthInches = widthInches;
  spec.theme = figure.theme;
  spec.colour = figure.colour;
  spec.plasticity = figure.plasticity;
  spec.studies = std::max<std::size_t>(1, figure.studies);
  spec.families = spec.studies;
  if (kind.needsGroups || figure.groups)
    spec.groups = {"pairs=L1H0-2,L2H0-1,L8H3-5", "second=L0H1,L4H1-2,L6H1,L8H2,L10H1", "steep=ap_drop > 0.3"};
  if (kind.usualHeads.size() > 1)  // heads of the formula study instead of those of the thesis' model
    spec.heads = {{1, 2}, {4, 2}, {8, 5}, {11, 0}};
  else if (kind.head != HeadNeed::None && !figure.groups)
    spec.scope.head = HeadName{4, 2};
  spec.heightInches = resolveSize(spec).heightInches;
  return spec;
}

}  // namespace plastiscope::test
