#include "widgets/export/figure_panels.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/compare/comparison.h"
#include "core/compare/published_numbers.h"
#include "core/views/figure_tables.h"
#include "widgets/export/figure_makers.h"

namespace plastiscope {

namespace {

bool byStudy(const FigureKind& kind, std::size_t studies) {
  return kind.studies.most == 1 && studies > 1;
}

std::vector<std::string> namesOf(const Studies& studies, const FigureSpec& spec) {
  std::vector<std::string> names;
  for (const ComparedModel& model : comparisonOf(studies, spec).models) names.push_back(model.name);
  return withoutOwners(names);
}

// The same parts once for each of so many choices.
template <typename Choices, typename Use>
std::vector<FigurePart> each(const std::vector<FigurePart>& parts, const Choices& choices, const Use& use) {
  std::vector<FigurePart> all;
  for (const auto& choice : choices) {
    for (FigurePart part : parts) {
      use(part, choice);
      all.push_back(std::move(part));
    }
  }
  return all;
}

// Kinds whose colours span their data: panels of one metric span those of all.
struct FittedRange {
  const char* figure;
  std::pair<double, double> (*of)(const Study&, const FigureSpec&);
};
constexpr FittedRange kFitted[] = {{"head-grid", headGridRange}};

void shareRanges(const FigureKind& kind, std::vector<FigurePart>& parts) {
  if (parts.size() < 2 || parts.front().spec.range) return;
  for (const FittedRange& fitted : kFitted) {
    if (kind.id != fitted.figure) continue;
    std::map<std::string, std::pair<double, double>> ranges;  // by metric
    for (const FigurePart& part : parts) {
      const auto own = fitted.of(*part.studies.front(), part.spec);
      auto& all = ranges.try_emplace(part.spec.metric, own).first->second;
      all = {std::min(all.first, own.first), std::max(all.second, own.second)};
    }
    for (FigurePart& part : parts) part.spec.range = ranges.at(part.spec.metric);
  }
}

void entitle(FigurePart& part, const std::string& title) {
  part.title += (part.title.empty() ? "" : ", ") + title;
}

}  // namespace

std::vector<FigurePart> figureParts(const FigureKind& kind, const Studies& studies, const FigureSpec& spec) {
  FigureSpec plain = spec;
  plain.heads.clear();
  std::vector<FigurePart> parts = {{"", studies, plain}};
  if (byStudy(kind, studies.size())) {
    const std::vector<std::string> names = namesOf(studies, spec);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < studies.size(); ++i) places.push_back(i);
    parts = each(parts, places, [&](FigurePart& part, std::size_t i) {
      part.studies = {studies[i]};
      part.spec.names.clear();
      entitle(part, names[i]);
    });
  }
  if (!spec.heads.empty())
    parts = each(parts, spec.heads, [](FigurePart& part, HeadName head) {
      part.spec.scope.head = head;
      entitle(part, head.text());
    });
  if (spec.metrics().size() > 1)
    parts = each(parts, spec.metrics(),
                 [](FigurePart& part, const std::string& metric) { part.spec.metric = metric; });
  if (parts.size() > kMostPanels)
    throw UsageError("a figure has at most " + std::to_string(kMostPanels) + " panels, found " +
                     std::to_string(parts.size()));
  shareRanges(kind, parts);
  return parts;
}

std::size_t partsOf(const FigureKind& kind, const FigureSpec& spec) {
  const std::size_t studies = byStudy(kind, spec.studies) ? spec.studies : 1;
  return studies * std::max<std::size_t>(1, spec.heads.size()) * spec.metrics().size();
}

FigureContent composePanels(std::vector<ContentPanel> panels, int columns) {
  const bool letters = panels.size() > 1;
  if (!letters && panels.front().content.note.empty()) return std::move(panels.front().content);
  FigureContent whole;
  PanelOptions options;
  options.columns = columns;
  std::vector<PanelPlot> plots;
  std::vector<PanelTable> tables;
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    FigureContent& content = panels[i].content;
    const std::string letter(1, static_cast<char>('a' + i % 26));
    plots.push_back({richEscaped(panels[i].title), std::move(content.plot)});
    tables.push_back({panels[i].title.empty() ? letter : letter + " " + panels[i].title, content.data});
    if (!content.note.empty()) notes.push_back(content.note);
    whole.subject = content.subject;
  }
  if (!notes.empty()) options.note = "published: " + richEscaped(joinedSources(notes));
  whole.plot = composePlots(std::move(plots), options);
  whole.data = letters ? joinPanels(tables) : tables.front().table;
  return whole;
}

}  // namespace plastiscope
