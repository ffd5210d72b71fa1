#include "widgets/export/figure_list.h"

#include <algorithm>

#include "core/compare/benchmark_data.h"
#include "widgets/export/thesis_figures.h"

namespace plastiscope {

namespace {

bool haveRows(const Studies& studies) {
  return std::all_of(studies.begin(), studies.end(),
                     [](const auto& study) { return study->capture != nullptr; });
}

bool standsApart(const Studies& studies, const std::string& shown) {
  return studies.empty() || (!shown.empty() && figureKind(shown).studies.fewest == 0);
}

}  // namespace

std::vector<const FigureKind*> figuresFor(const Studies& studies, const std::string& shown) {
  const bool apart = standsApart(studies, shown), rows = haveRows(studies);
  std::vector<const FigureKind*> kinds;
  for (const FigureKind& kind : figureKinds()) {
    const bool fits = kind.studies.holds(studies.size()) && (kind.studies.fewest == 0) == apart;
    if (fits && (rows || !kind.needsRows)) kinds.push_back(&kind);
  }
  return kinds;
}

std::vector<const FigureKind*> thesisKindsFor(const Studies& studies) {
  const bool rows = haveRows(studies);
  std::vector<const FigureKind*> kinds;
  for (const FigureKind& kind : thesisKinds()) {
    if (kind.holds(studies.size()) && (rows || !kind.needsRows)) kinds.push_back(&kind);
  }
  return kinds;
}

std::vector<MetricInfo> metricsFor(const Studies& studies, const std::string& shown) {
  if (standsApart(studies, shown)) return benchmarkPredictors();
  return metricsOf(requiredTable(*studies.front()->analysis, "heads"));
}

QString figureFileName(const FigureSpec& spec) {
  QString name = QString::fromStdString(spec.figure);
  if (!spec.heads.empty())
    for (const HeadName& head : spec.heads) name += "-" + QString::fromStdString(head.text());
  else if (spec.scope.head)
    name += "-" + QString::fromStdString(spec.scope.head->text());
  if (spec.scope.layer) name += QStringLiteral("-L%1").arg(*spec.scope.layer);
  if (figureKind(spec.figure).takes(FigureOption::Metric) && !spec.metric.empty())
    name += "-" + QString::fromStdString(spec.metric).replace(',', '-');
  return name;
}

}  // namespace plastiscope
