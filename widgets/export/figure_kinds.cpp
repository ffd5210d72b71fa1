#include "widgets/export/figure_kinds.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/compare/benchmark_data.h"
#include "core/compare/drift.h"
#include "core/views/study_notes.h"
#include "widgets/export/study_figures.h"

namespace plastiscope {

namespace {

constexpr const char* kUsualParts[] = {"ab-scatter", "profile-quintiles", "map", "head-grid"};

std::vector<FigureKind> allKinds() {
  std::vector<FigureKind> kinds;
  for (const auto list : {oneStudyFigures, groupFigures, manyStudyFigures, headFigures})
    std::ranges::move(list(), std::back_inserter(kinds));
  FigureSpec plain;
  OptionList options = figureOptions(plain);
  for (const FigureKind& kind : kinds) {
    for (const std::string_view key : kind.options) {
      if (findOption(options, key) == nullptr)
        throw Error(ErrorKind::Internal, "figure " + kind.id + " takes " + std::string(key) + ", no option");
    }
  }
  return kinds;
}

// True for an option that only some figures take.
bool belongsToKinds(std::string_view option) {
  return std::ranges::any_of(figureKinds(), [&](const FigureKind& kind) { return kind.takes(option); });
}

}  // namespace

std::string StudyCount::text() const {
  if (most == 0) return "no capture or analysis";
  if (fewest == 0 && most == 1) return "at most one capture or analysis";
  if (fewest == 1 && most == 1) return "one capture or analysis";
  const std::string last = std::to_string(most) + " captures or analyses";
  return fewest == 0 ? "up to " + last : fewest == most ? last : std::to_string(fewest) + " to " + last;
}

bool FigureKind::takes(std::string_view option) const {
  return std::ranges::find(options, option) != options.end();
}

bool FigureKind::isPanelPerStudy(std::size_t studyCount) const {
  return studies.most == 1 && studyCount > 1;
}

bool FigureKind::holds(std::size_t studyCount) const {
  if (studyCount == 0 && published) return true;
  return studies.holds(studyCount) || (isPanelPerStudy(studyCount) && studyCount <= kMaxPanels);
}

const std::vector<FigureKind>& figureKinds() {
  static const std::vector<FigureKind> kinds = allKinds();
  return kinds;
}

const FigureKind& figureKind(std::string_view id) {
  std::vector<std::string> known;
  // In sequence: the second list is made from the first.
  for (const auto list : {figureKinds, thesisKinds}) {
    for (const FigureKind& kind : list()) {
      if (kind.id == id) return kind;
      known.push_back(kind.id);
    }
  }
  const std::string name(id);
  throw UsageError("unknown figure \"" + name + "\"" + didYouMean(name, known) +
                   " (plastiscope render --list names all)");
}

void forEachForeignOption(const FigureKind& kind, FigureSpec& spec,
                          const std::function<void(const Option&, const Option&)>& use) {
  FigureSpec plain;
  const OptionList options = figureOptions(spec), standard = figureOptions(plain);
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& key = options[i].key;
    if (!sameValue(options[i], standard[i]) && !kind.takes(key) && belongsToKinds(key))
      use(options[i], standard[i]);
  }
}

FigureSpec fitToKind(FigureSpec spec, const FigureKind& kind) {
  spec.figure = kind.id;
  const bool mean = !spec.scope.several.empty() && kind.takes("mean_of");
  if (kind.head == HeadNeed::None || (kind.head == HeadNeed::Optional && (spec.scope.layer || mean))) {
    spec.scope.head.reset();
    spec.heads.clear();
  }
  forEachForeignOption(kind, spec, copyValue);
  return spec;
}

std::vector<std::string> usualPageParts(const FigureSpec& spec, bool rows) {
  std::vector<std::string> parts;
  for (const char* id : kUsualParts) {
    const FigureKind& kind = figureKind(id);
    if ((rows || !kind.needsRows) && (spec.scope.head || kind.head != HeadNeed::Required))
      parts.emplace_back(id);
  }
  return parts;
}

std::size_t partsOf(const FigureKind& kind, const FigureSpec& spec) {
  if (kind.id == kPageFigure) return (spec.parts.empty() ? usualPageParts(spec, true) : spec.parts).size();
  const std::size_t studies = kind.isPanelPerStudy(spec.studies) ? spec.studies : 1;
  const std::size_t metrics = kind.together ? 1 : spec.metrics().size();
  const std::size_t groups = panelPerGroup(kind) ? std::max<std::size_t>(1, spec.groups.size()) : 1;
  return studies * std::max<std::size_t>(1, spec.heads.size()) * metrics * groups;
}

// --- Sizes ----------------------------------------------------------------------------------------------

namespace {

constexpr double kHighest = 4.2, kHighestOfPanels = 8.4;  // inches, unless a size is given
constexpr double kBelowEachOther = 0.75;  // stacked panels with a shared axis need less height

double widthInches(const FigureSpec& spec) {
  const VenuePreset& venue = venuePreset(spec.preset);
  const double share = spec.width == FigureWidth::Half    ? 0.5
                       : spec.width == FigureWidth::Third ? 1.0 / 3
                                                          : 1.0;
  if (spec.widthInches > 0) return spec.widthInches;
  return spec.width == FigureWidth::Column ? venue.columnInches : venue.textInches * share;
}

// Proportion of a kind with its own panels, for the columns and rows at this size.
double ownProportion(const FigureKind& kind, const FigureSpec& spec) {
  if (kind.needsGroups && kind.together)  // a row for each metric
    return 0.3 + 0.055 * static_cast<double>(contrastMetrics(spec).size());
  if (kind.columns == 0 || spec.columns > 0) return kind.proportion;
  const int columns = columnsOf(kind, spec);
  if (columns < kind.columns)  // stacked, with labels only on the last one
    return kind.proportion * kBelowEachOther * kind.columns / columns;
  const auto families = static_cast<int>(kind.byFamily ? spec.families : 1);
  return kind.proportion * std::max(1, (families + columns - 1) / columns);
}

// Height / width of the whole figure.
double proportionOf(const FigureKind& kind, const FigureSpec& spec) {
  const bool usual = spec.heads.empty() && !spec.scope.head && !kind.usualHeads.empty();
  const auto [columns, rows] =
      panelGrid(partsOf(kind, spec) * (usual ? kind.usualHeads.size() : 1), spec.columns);
  // Narrow panels are taller: titles and labels need the same space in all.
  const double panelInches = widthInches(spec) / columns;
  const double least = columns > 1 ? 0.6 + 0.15 * columns + std::max(0.0, 0.6 - 0.3 * panelInches) : 0;
  return std::max(ownProportion(kind, spec), least) * rows / columns;
}

// Space around a text, in em and in points.
constexpr double kLegendLineEms = 1.5, kLegendEms = 85, kGutterEms = 3.5, kTokenEms = 3;
constexpr double kBesidePoints = 48, kAroundPoints = 8;  // beside: the colour bar

double legendPoints(double ems, double points) {
  return std::ceil(kLegendEms / ems) * kLegendLineEms * points;
}

double heightOfTokens(std::int64_t tokens, const FigureSize& size) {
  const double ems = excerptRoom(size, size.tickPoints).ems;
  const double lines = std::ceil(static_cast<double>(tokens) * kTokenEms / ems) + 1;
  return (lines * kExcerptLineEms * size.tickPoints + legendPoints(ems, size.tickPoints) + kAroundPoints) /
         72;
}

}  // namespace

PageRoom excerptRoom(const FigureSize& size, double points) {
  PageRoom room;
  room.ems = std::max(8.0, (size.widthInches * 72 - kBesidePoints) / points - kGutterEms);
  const double height = size.heightInches * 72 - legendPoints(room.ems, points) - kAroundPoints;
  room.lines = static_cast<std::size_t>(std::max(1.0, height / (kExcerptLineEms * points)));
  return room;
}

int columnsOf(const FigureKind& kind, const FigureSpec& spec) {
  if (kind.columns == 0 || kind.leastPanelInches <= 0) return kind.columns;
  const int fitting = static_cast<int>(widthInches(spec) / kind.leastPanelInches);
  return fitting >= kind.columns ? kind.columns : 1;  // avoids a row with an empty place
}

FigureSpec sizedFor(FigureSpec spec, const Studies& studies) {
  std::set<std::string> families;
  for (const auto& study : studies) families.insert(familyTitle(factsOf(*study).architecture));
  spec.studies = std::max<std::size_t>(1, studies.size());
  spec.families = std::max<std::size_t>(1, families.size());
  return spec;
}

FigureSize resolveSize(const FigureSpec& spec) {
  const VenuePreset& venue = venuePreset(spec.preset);
  const FigureKind& kind = figureKind(spec.figure);
  FigureSize size;
  size.widthInches = widthInches(spec);
  // Titles are one point smaller than the caption, ticks two smaller than titles, nothing is below 6 pt.
  size.labelPoints =
      spec.fontPoints > 0 ? spec.fontPoints : std::max(6.0, std::min(9.0, venue.captionPoints - 1));
  size.tickPoints = std::max(6.0, size.labelPoints - 2);
  size.numberPoints = std::max(6.0, size.tickPoints - 0.5);
  size.heightInches = spec.heightInches > 0 ? spec.heightInches
                      : kind.needsTexts && spec.tokens > 0 && partsOf(kind, spec) == 1
                          ? std::min(kHighestOfPanels, heightOfTokens(spec.tokens, size))
                          : std::min(partsOf(kind, spec) > 1 || kind.tall ? kHighestOfPanels : kHighest,
                                     size.widthInches * proportionOf(kind, spec));
  return size;
}

// --- Figures of a tab -----------------------------------------------------------------------------------

namespace {

bool haveRows(const Studies& studies) {
  return std::all_of(studies.begin(), studies.end(),
                     [](const auto& study) { return study->capture != nullptr; });
}

bool haveLosses(const Studies& studies) {
  return std::ranges::any_of(studies,
                             [](const auto& study) { return study->analysis->find("loss") != nullptr; });
}

bool haveTable(const Studies& studies, const std::string& table) {
  return table.empty() || std::ranges::all_of(studies, [&](const auto& study) {
           return study->analysis->rowsOfTables().contains(table);
         });
}

bool haveTexts(const Studies& studies) {
  return std::ranges::all_of(
      studies, [](const auto& study) { return study->capture != nullptr && study->capture->hasTexts(); });
}

bool haveGroups(const Studies& studies) {
  try {
    return !groupsBeside(studies.front()->file).empty();
  } catch (const InputError&) {  // notes of another capture, or damaged
    return false;
  }
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
    if (fits && (rows || !kind.needsRows) && (!kind.needsLosses || haveLosses(studies)) &&
        (!kind.needsTexts || haveTexts(studies)) && haveTable(studies, kind.needsTable) &&
        (!kind.needsGroups || kind.id == shown || haveGroups(studies)))
      kinds.push_back(&kind);
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
  if (shown == "drift") {
    std::vector<MetricInfo> measures;
    for (const DriftMeasure& measure : driftMeasures()) {
      MetricInfo info;
      info.column = measure.column;
      info.title = info.label = measure.title;
      info.unit = measure.unit;
      measures.push_back(std::move(info));
    }
    return measures;
  }
  return metricsOf(requiredTable(*studies.front()->analysis, "heads"));
}

QString figureFileName(const FigureSpec& spec) {
  QString name = QString::fromStdString(spec.figure);
  if (!spec.heads.empty())
    for (const HeadName& head : spec.heads) name += "-" + QString::fromStdString(head.text());
  else if (spec.scope.head)
    name += "-" + QString::fromStdString(spec.scope.head->text());
  if (spec.scope.layer) name += QStringLiteral("-L%1").arg(*spec.scope.layer);
  for (const std::string& group : spec.groups)
    name += "-" + QString::fromStdString(group.substr(0, group.find('=')));
  if (!spec.scope.several.empty()) name += QStringLiteral("-%1-heads").arg(spec.scope.several.size());
  if (figureKind(spec.figure).takes("metric") && !spec.metric.empty())
    name += "-" + QString::fromStdString(spec.metric).replace(',', '-');
  return name;
}

}  // namespace plastiscope
