#include "widgets/export/figure_panels.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>

#include "core/analysis/row_choice.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/parsed_number.h"
#include "core/compare/comparison.h"
#include "core/compare/published_figures.h"
#include "core/compare/reference_data.h"
#include "core/views/figure_caption.h"
#include "core/views/figure_tables.h"
#include "widgets/export/study_figures.h"

namespace plastiscope {

namespace {

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

// Panels of one metric share the range of all.
void shareRanges(const FigureKind& kind, std::vector<FigurePart>& parts) {
  if (kind.fittedRange == nullptr || parts.size() < 2 || parts.front().spec.range) return;
  std::map<std::string, std::pair<double, double>> ranges;  // by metric
  for (const FigurePart& part : parts) {
    const auto own = kind.fittedRange(*part.studies.front(), part.spec);
    auto& all = ranges.try_emplace(part.spec.metric, own).first->second;
    all = {std::min(all.first, own.first), std::max(all.second, own.second)};
  }
  for (FigurePart& part : parts) part.spec.range = ranges.at(part.spec.metric);
}

// ---- figure "page"

constexpr double kLeastPanel = 0.05, kMostHeight = 5;  // of a panel, of a page; in widths of the page
constexpr double kPlaceUnit = 1e4;                     // places are written with four decimals

std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ':')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

std::string withoutSpaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

// "0.48x0.3+0.52+0"
std::optional<PanelPlace> placeNamed(const std::string& text) {
  static const std::regex kForm("([0-9.]+)x([0-9.]+)\\+([0-9.]+)\\+([0-9.]+)");
  std::smatch numbers;
  if (!std::regex_match(text, numbers, kForm)) return std::nullopt;
  double values[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const auto value = parsedFinite(numbers[i + 1].str());
    if (!value) return std::nullopt;
    values[i] = *value;
  }
  const PanelPlace place{values[2], values[3], values[0], values[1]};
  const bool fits = place.width >= kLeastPanel && place.height >= kLeastPanel &&
                    place.right() <= 1 + 0.5 / kPlaceUnit && place.bottom() <= kMostHeight;
  return fits ? std::optional(place) : std::nullopt;
}

// The places of all parts; empty for a grid. UsageError if only some have a valid one.
std::vector<PanelPlace> placesOf(const std::vector<std::string>& parts) {
  std::vector<PanelPlace> places;
  std::size_t named = 0;
  for (const std::string& text : parts) {
    const auto at = text.find('@');
    if (at == std::string::npos) continue;
    ++named;
    const PagePart part = pagePart(text);
    if (!part.place)
      throw UsageError("part \"" + text +
                       "\": expected a place WIDTHxHEIGHT+X+Y within the page, in parts of "
                       "its width, such as 0.48x0.3+0.52+0; found " +
                       text.substr(at + 1));
    places.push_back(*part.place);
  }
  if (named > 0 && named < parts.size())
    throw UsageError("either all parts of a page have a place (map:L12H6@0.48x0.3+0.52+0) or none");
  return places;
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
  const std::vector<std::string> words = wordsOf(pagePart(text).subject);
  FigurePart part{&figureKind(words.front()), "", studies, page};
  if (part.kind->id == kPageFigure)
    throw UsageError("part \"" + text + "\": a page cannot be a panel of a page");
  FigureSpec& spec = part.spec;
  spec = fitToKind(spec, *part.kind);
  spec.columns = 0;
  Studies named;
  std::vector<std::string> names;
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    if (isNumber(*word)) {
      const std::size_t input = inputNamed(*word, studies.size(), text);
      named.push_back(studies[input]);
      names.push_back(namesOf(studies, page)[input]);
    } else if (isLayer(*word)) {
      spec.scope = {{}, std::stoll(word->substr(1, 6))};
    } else if (word->starts_with('L')) {
      spec.scope = {parseOneHead(*word), {}};
    } else {
      spec.metric = *word;
    }
  }
  if (named.empty() && part.kind->studies.most == 1) {
    named = {studies.front()};
    names = {namesOf(studies, page).front()};
  }
  if (!named.empty()) part.studies = named;
  part.title = part.kind->title;
  if (spec.scope.head || spec.scope.layer) part.title += ", " + spec.scope.text();
  if (part.studies.size() < studies.size()) {
    spec.names.clear();
    spec.looks.clear();
    part.title += ", " + joined(names);
  }
  return part;
}

std::vector<FigurePart> partsOfPage(const Studies& studies, const FigureSpec& spec) {
  if (!spec.heads.empty())
    throw UsageError("figure page: name the heads of its panels with --parts map:L12H6,map:L3H0");
  if (spec.titles.size() > spec.parts.size())
    throw UsageError("expected at most one title per part, found " + std::to_string(spec.titles.size()) +
                     " titles for " + std::to_string(spec.parts.size()) + " parts");
  const std::vector<PanelPlace> places = placesOf(spec.parts);
  std::vector<FigurePart> parts;
  for (const std::string& text :
       spec.parts.empty() ? usualPageParts(spec, studies.front()->capture != nullptr) : spec.parts) {
    parts.push_back(partOfPage(text, studies, spec));
    const std::size_t i = parts.size() - 1;
    if (i < places.size()) parts.back().place = places[i];
    if (i < spec.titles.size() && !spec.titles[i].empty())
      parts.back().title = spec.titles[i] == "-" ? "" : spec.titles[i];
  }
  return parts;
}

// Gives figures that depend on their size the size of their panel.
void sizePanels(std::vector<FigurePart>& parts, const FigureSpec& spec) {
  const FigureSize whole = resolveSize(spec);
  const auto [columns, rows] = panelGrid(parts.size(), spec.columns);
  for (FigurePart& part : parts) {
    if (part.place) {
      part.spec.widthInches = whole.widthInches * part.place->width;
      part.spec.heightInches = whole.widthInches * part.place->height;
      continue;
    }
    if (!part.kind->takes("text")) continue;
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
  if (kind.isPanelPerStudy(studies.size())) {
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
  if (!spec.groups.empty() && panelPerGroup(kind))
    parts = each(parts, groupsOf(*studies.front(), spec), [](FigurePart& part, const HeadGroup& group) {
      part.spec.groups.clear();
      part.spec.scope.several = group.heads;
      entitle(part, group.name);
    });
  if (spec.metrics().size() > 1 && !kind.together)
    parts = each(parts, spec.metrics(),
                 [](FigurePart& part, const std::string& metric) { part.spec.metric = metric; });
  if (parts.size() > kMaxPanels)
    throw UsageError("a figure has at most " + std::to_string(kMaxPanels) + " panels, found " +
                     std::to_string(parts.size()));
  shareRanges(kind, parts);
  if (parts.size() > 1 || parts.front().place) sizePanels(parts, spec);
  return parts;
}

PagePart pagePart(const std::string& text) {
  const std::string plain = withoutSpaces(text);
  const auto at = plain.find('@');
  if (at == std::string::npos) return {plain, std::nullopt};
  return {plain.substr(0, at), placeNamed(plain.substr(at + 1))};
}

std::string PagePart::text() const {
  if (!place) return subject;
  const auto number = [](double value) { return numberText(std::round(value * kPlaceUnit) / kPlaceUnit); };
  return subject + "@" + number(place->width) + "x" + number(place->height) + "+" + number(place->x) + "+" +
         number(place->y);
}

double composedHeight(const std::vector<std::string>& parts) {
  double height = 0;
  for (const std::string& text : parts) {
    if (const auto place = pagePart(text).place) height = std::max(height, place->bottom());
  }
  return height;
}

std::string partText(const FigureSpec& spec) {
  std::string text = spec.figure;
  if (spec.scope.head || spec.scope.layer)
    text += ":" + (spec.scope.head ? spec.scope.head->text() : "L" + std::to_string(*spec.scope.layer));
  if (!spec.metric.empty() && figureKind(spec.figure).takes("metric")) text += ":" + spec.metric;
  return text;
}

FigureContent composePanels(std::vector<ContentPanel> panels, const PanelOptions& wanted) {
  const bool letters = panels.size() > 1;
  if (!letters && wanted.places.empty() && panels.front().content.note.empty())
    return std::move(panels.front().content);
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

// --- Checks and preparation -----------------------------------------------------------------------------

namespace {

void requireFits(const FigureKind& kind, const FigureSpec& spec) {
  const bool named = spec.scope.head || !spec.heads.empty();
  if (kind.head == HeadNeed::Required && !named && kind.usualHeads.empty()) {
    throw UsageError("figure " + kind.id + " shows one head: name it with --head L12H6");
  }
  if (kind.head == HeadNeed::None && named)
    throw UsageError("figure " + kind.id + " shows all heads: it takes no --head");
  FigureSpec given = spec;
  forEachForeignOption(kind, given, [&kind](const Option& option, const Option&) {
    throw UsageError("figure " + kind.id + " takes no " + option.name);
  });
  if (named && spec.scope.layer) throw UsageError("--head and --layer contradict each other");
  if (!spec.groups.empty() && (named || spec.scope.layer || !spec.scope.several.empty()))
    throw UsageError(
        "--groups selects the heads of the figure: it cannot be combined with --head, --layer or --mean-of");
  if (!spec.scope.several.empty() && (named || spec.scope.layer))
    throw UsageError(
        "--mean-of selects the heads of the figure: it cannot be combined with --head or --layer");
}

// Published numbers of models are means without heads.
void requireHeads(const FigureKind& kind, const Studies& studies) {
  if (studies.empty() || kind.studies.fewest > 1 || kind.prepare == nullptr) return;
  if (!std::ranges::all_of(studies, [](const auto& study) { return publishedIdOf(study->file).has_value(); }))
    return;
  const std::string id = *publishedIdOf(studies.front()->file);
  const std::vector<AtlasEntry> atlas = publishedAtlas();
  const auto entry = std::ranges::find(atlas, id, [](const AtlasEntry& each) { return each.model.id; });
  throw InputError("figure " + kind.id + " shows single heads, but of " + studies.front()->title +
                   " only means are published" +
                   (entry == atlas.end() ? "" : " (" + joined(entry->shown) + ")") +
                   "; give a capture of the model, or compare the means with other models" +
                   (kind.published ? "; without inputs the published part of the figure is drawn" : ""));
}

void requireStudies(const FigureKind& kind, const Studies& studies) {
  if (!kind.holds(studies.size()))
    throw UsageError("figure " + kind.id + " shows " + kind.studies.text() + ", found " +
                     std::to_string(studies.size()));
  requireHeads(kind, studies);
  for (const auto& study : studies) {
    if (kind.needsRows && study->capture == nullptr)
      throw InputError("figure " + kind.id + " needs the captured rows, but only their analysis was found");
  }
}

std::string scopeOf(const FigureSpec& spec) {
  if (!spec.groups.empty())
    return joined(spec.groups, [](const std::string& text) { return text.substr(0, text.find('=')); });
  return spec.heads.empty() ? spec.scope.text() : joined(spec.heads, &HeadName::text);
}

std::string subjectOf(const Studies& studies, const FigureSpec& spec) {
  if (studies.empty()) return "the thesis";
  if (studies.size() == 1) {
    const std::string rows = textOf(rowChoiceOf(settingsOf(*studies.front()->analysis)));
    return factsOf(*studies.front()).model + ", " + scopeOf(spec) + (rows.empty() ? "" : ", " + rows);
  }
  return joined(studies, [](const auto& study) { return study->title; });
}

std::vector<const AnalysisFile*> ownAnalyses(const Studies& studies) {
  std::vector<const AnalysisFile*> own;
  for (const auto& study : studies) {
    if (!publishedIdOf(study->file)) own.push_back(study->analysis.get());
  }
  return own;
}

// For figures of metrics or several studies; profiles and maps of one study show the note themselves.
std::string excessOf(const FigureKind& kind, const Studies& studies, const FigureSpec& spec) {
  const bool ofMetric = kind.takes("metric");
  if (!kind.takes("plasticity") || (!ofMetric && kind.studies.most == 1)) return "";
  const std::string metric =
      ofMetric && !spec.metric.empty() ? spec.metrics().front() : columnAs(spec.plasticity, "ap_overall");
  if (columnAs(ApKind::Aligned, metric) == metric) return "";
  return excessNote(ownAnalyses(studies));
}

}  // namespace

FigureContent prepareFigure(const Studies& studies, const FigureSpec& asked) {
  const FigureKind& kind = figureKind(asked.figure);
  asked.validate();
  const ShownPlasticity plasticity = shownPlasticity(studies, asked);
  FigureSpec spec = asked;
  if (kind.takes("plasticity")) spec.plasticity = plasticity.kind;
  const bool beside = plasticity.note == kPublishedAreBinned;
  if (beside) spec.metric = columnAs(plasticity.kind, spec.metric);
  requireFits(kind, spec);
  requireStudies(kind, studies);
  std::vector<ContentPanel> panels;
  PanelOptions composed{spec.columns, true, {}, kind.id == kPageFigure, {}};
  for (const FigurePart& part : figureParts(kind, studies, spec)) {
    if (part.place) composed.places.push_back(*part.place);
    requireFits(*part.kind, part.spec);
    requireStudies(*part.kind, part.studies);
    panels.push_back({part.title, part.kind->prepare(part.studies, part.spec)});
    if (spec.groups.size() == 1 && panelPerGroup(kind))  // a single panel shows no title
      panels.back().content.plot.legend.push_back(textEntry("selected: " + richEscaped(scopeOf(spec))));
  }
  const bool several = panels.size() > 1;
  std::vector<std::string> titles;
  for (const ContentPanel& panel : panels) titles.push_back(panel.title);
  if (!several) titles = {kind.title + (kind.head == HeadNeed::None ? "" : ", " + scopeOf(spec))};
  FigureContent content = composePanels(std::move(panels), composed);
  // Notes at a grid of panels stand above all, at free panels in the first.
  std::vector<LegendEntry>& notes =
      composed.places.empty() ? content.plot.legend : content.plot.panels.front().legend;
  if (several || content.subject.empty()) content.subject = subjectOf(studies, spec);
  for (const std::string& note : {beside ? plasticity.note : std::string(), excessOf(kind, studies, spec)}) {
    if (note.empty()) continue;
    notes.push_back(textEntry(note));
    content.plot.oneLine = false;
  }
  content.remark = plasticity.note;
  content.titles = std::move(titles);
  return content;
}

std::string captionOf(const Studies& studies, const FigureContent& content, const FigureSpec& spec) {
  CaptionFacts facts{content.titles};
  facts.plasticity = figureKind(spec.figure).takes("plasticity");
  facts.kind = shownPlasticity(studies, spec).kind;
  facts.intervals = spec.intervals && std::ranges::any_of(content.data.columns, [](const Column& column) {
                      return column.name.ends_with("_low") || column.name == "low";
                    });
  const Column* over = content.data.find("interval_over");
  const auto* units = over == nullptr ? nullptr : std::get_if<std::vector<std::string>>(&over->values);
  for (std::size_t i = 0; units != nullptr && i < units->size(); ++i) {
    const std::string& unit = (*units)[i];
    if (!unit.empty() && std::ranges::count(facts.over, unit) == 0) facts.over.push_back(unit);
  }
  return draftCaption(facts, studies);
}

ShownPlasticity shownPlasticity(const Studies& studies, const FigureSpec& spec) {
  if (!figureKind(spec.figure).takes("plasticity")) return {ApKind::Binned, ""};
  const auto own = ownAnalyses(studies);
  const bool published = spec.published || !spec.reference.empty() || own.size() < studies.size();
  return shownPlasticity(own, spec.plasticity, published);
}

}  // namespace plastiscope
