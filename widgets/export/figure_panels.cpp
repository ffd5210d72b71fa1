#include "widgets/export/figure_panels.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/compare/comparison.h"
#include "core/compare/reference_data.h"
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

// Repeats the parts for each choice.
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

// Kinds whose colour range fits the data: panels of one metric share the range of all.
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

// ---- figure "page"

constexpr const char* kUsualParts[] = {"ab-scatter", "profile-quintiles", "map", "head-grid"};

// Leaves out figures of a head if the page has none.
std::vector<std::string> usualParts(const FigureSpec& spec, bool rows) {
  std::vector<std::string> parts;
  for (const char* id : kUsualParts) {
    const FigureKind& kind = figureKind(id);
    if ((rows || !kind.needsRows) && (spec.scope.head || kind.head != HeadNeed::Required))
      parts.emplace_back(id);
  }
  return parts;
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ':')
      words.emplace_back();
    else if (c != ' ')
      words.back() += c;
  }
  return words;
}

bool isNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool isLayer(const std::string& word) {
  return word.starts_with('L') && isNumber(std::string_view(word).substr(1));
}

// Number of an input, from 1.
std::size_t inputNamed(const std::string& word, std::size_t inputs, const std::string& text) {
  const std::int64_t number = word.size() < 4 ? std::stoll(word) : 0;
  if (number < 1 || number > static_cast<std::int64_t>(inputs))
    throw UsageError("part \"" + text + "\": expected an input from 1 to " + std::to_string(inputs) +
                     ", found " + word);
  return static_cast<std::size_t>(number - 1);
}

FigurePart partOfPage(const std::string& text, const Studies& studies, const FigureSpec& page) {
  const std::vector<std::string> words = wordsOf(text);
  FigurePart part{&figureKind(words.front()), "", studies, page};
  if (part.kind->id == kPageFigure)
    throw UsageError("part \"" + text + "\": a page cannot be a panel of a page");
  FigureSpec& spec = part.spec;
  spec = fitToKind(spec, *part.kind);
  spec.columns = 0;
  std::optional<std::size_t> input;
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    if (isNumber(*word)) {
      input = inputNamed(*word, studies.size(), text);
    } else if (isLayer(*word)) {
      spec.scope = {{}, std::stoll(word->substr(1, 6))};
    } else if (word->starts_with('L')) {
      spec.scope = {parseOneHead(*word), {}};
    } else {
      spec.metric = *word;
    }
  }
  if (part.kind->studies.most == 1 || input) part.studies = {studies[input.value_or(0)]};
  part.title = part.kind->title;
  if (spec.scope.head || spec.scope.layer) part.title += ", " + spec.scope.text();
  if (part.studies.size() < studies.size()) {
    spec.names.clear();
    spec.looks.clear();
    part.title += ", " + namesOf(studies, page)[input.value_or(0)];
  }
  return part;
}

std::vector<FigurePart> partsOfPage(const Studies& studies, const FigureSpec& spec) {
  if (!spec.heads.empty())
    throw UsageError("figure page: name the heads of its panels with --parts map:L12H6,map:L3H0");
  std::vector<FigurePart> parts;
  for (const std::string& text :
       spec.parts.empty() ? usualParts(spec, studies.front()->capture != nullptr) : spec.parts)
    parts.push_back(partOfPage(text, studies, spec));
  return parts;
}

// Gives figures that depend on their size the size of their panel.
void sizePanels(std::vector<FigurePart>& parts, const FigureSpec& spec) {
  const FigureSize whole = resolveSize(spec);
  const auto [columns, rows] = panelGrid(parts.size(), spec.columns);
  for (FigurePart& part : parts) {
    if (!part.kind->takes(FigureOption::Text)) continue;
    part.spec.widthInches = whole.widthInches / columns;
    part.spec.heightInches = whole.heightInches / rows;
  }
}

void entitle(FigurePart& part, const std::string& title) {
  part.title += (part.title.empty() ? "" : ", ") + title;
}

}  // namespace

std::vector<FigurePart> figureParts(const FigureKind& kind, const Studies& studies, const FigureSpec& spec) {
  FigureSpec plain = spec;
  plain.heads.clear();
  std::vector<FigurePart> parts = {{&kind, "", studies, plain}};
  if (kind.id == kPageFigure) parts = partsOfPage(studies, spec);
  if (byStudy(kind, studies.size())) {
    const std::vector<std::string> names = namesOf(studies, spec);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < studies.size(); ++i) places.push_back(i);
    parts = each(parts, places, [&](FigurePart& part, std::size_t i) {
      part.studies = {studies[i]};
      part.spec.names.clear();
      part.spec.looks.clear();
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
  if (parts.size() > kMaxPanels)
    throw UsageError("a figure has at most " + std::to_string(kMaxPanels) + " panels, found " +
                     std::to_string(parts.size()));
  shareRanges(kind, parts);
  if (parts.size() > 1) sizePanels(parts, spec);
  return parts;
}

std::size_t partsOf(const FigureKind& kind, const FigureSpec& spec) {
  if (kind.id == kPageFigure) return (spec.parts.empty() ? usualParts(spec, true) : spec.parts).size();
  const std::size_t studies = byStudy(kind, spec.studies) ? spec.studies : 1;
  return studies * std::max<std::size_t>(1, spec.heads.size()) * spec.metrics().size();
}

std::string partText(const FigureSpec& spec) {
  std::string text = spec.figure;
  if (spec.scope.head || spec.scope.layer)
    text += ":" + (spec.scope.head ? spec.scope.head->text() : "L" + std::to_string(*spec.scope.layer));
  if (!spec.metric.empty() && figureKind(spec.figure).takes(FigureOption::Metric)) text += ":" + spec.metric;
  return text;
}

FigureContent composePanels(std::vector<ContentPanel> panels, const PanelOptions& wanted) {
  const bool letters = panels.size() > 1;
  if (!letters && panels.front().content.note.empty()) return std::move(panels.front().content);
  FigureContent whole;
  PanelOptions options = wanted;
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
