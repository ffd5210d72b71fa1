// Figures of causes: what probes find, and which heads attend to it; what changing sets of heads costs.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/figures/figures.h"
#include "core/store/table_columns.h"

namespace plastiscope {

namespace {

// "key_value" -> "key value"
std::string words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::vector<std::size_t> rowsWhere(const Table& table, const std::string& column, const std::string& text) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (textAt(table, column, row) == text) rows.push_back(row);
  }
  return rows;
}

// The distinct texts of a column in order of appearance.
Texts distinct(const Table& table, const std::string& column) {
  Texts all;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string text = textAt(table, column, row);
    if (std::ranges::count(all, text) == 0) all.push_back(text);
  }
  return all;
}

// Places of the distinct values, ascending, as names at 0, 1, ...
struct Places {
  Values values;
  std::size_t of(double value) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(values, value) - values.begin());
  }
  Axis axis(const std::string& title, std::string (*name)(double)) const {
    Axis axis;
    axis.title = title;
    axis.ticks = Ticks::AllNames;
    axis.low = -0.5;
    axis.high = static_cast<double>(values.size()) - 0.5;
    axis.tickMarks = false;
    for (const double value : values) axis.names.push_back(name(value));
    return axis;
  }
  std::vector<std::pair<double, double>> cells() const {
    std::vector<std::pair<double, double>> cells;
    for (std::size_t i = 0; i < values.size(); ++i)
      cells.emplace_back(static_cast<double>(i) - 0.5, static_cast<double>(i) + 0.5);
    return cells;
  }
};

Places placesIn(const Table& table, const std::string& column, const std::vector<std::size_t>& rows) {
  std::set<double> values;
  for (const std::size_t row : rows) values.insert(numberAt(table, column, row));
  return {{values.begin(), values.end()}};
}

std::string intervalOfRow(const Table& table, std::size_t row, const std::string& column, int decimals) {
  const double low = numberAt(table, column + "_low", row), high = numberAt(table, column + "_high", row);
  if (!std::isfinite(low) || !std::isfinite(high)) return "";
  return " [" + fixedText(low, decimals) + ", " + fixedText(high, decimals) + "]";
}

// Accuracy by length and depth of one kind of probe: of whole answers, or of the tokens of long repeats.
Plot accuracyMap(const Table& probes, const std::vector<std::size_t>& rows, bool ofTokens) {
  const Places lengths = placesIn(probes, "length", rows), depths = placesIn(probes, "depth", rows);
  Box box;
  box.x = lengths.axis(titleForms("length of the text|length", "tokens"),
                       [](double tokens) { return numberLabel(tokens, 0); });
  box.y = depths.axis("depth of the answer (%)|depth (%)|depth", [](double share) {
    return numberLabel(100 * share, share * 100 == std::round(share * 100) ? 0 : 1);
  });
  box.y.reversed = true;
  CellMarks cells{lengths.cells(), depths.cells()};
  const std::size_t count = lengths.values.size() * depths.values.size();
  cells.value.assign(count, kMissing);
  cells.state.assign(count, CellState::Empty);
  cells.texts.assign(count, "");
  cells.colours = "maps";
  cells.between = CellMarks::Between::Gap;
  Mark mark;
  mark.tips.assign(count, "");
  for (const std::size_t row : rows) {
    const std::size_t cell = depths.of(numberAt(probes, "depth", row)) * lengths.values.size() +
                             lengths.of(numberAt(probes, "length", row));
    const double accuracy = numberAt(probes, ofTokens ? "token_accuracy" : "accuracy", row);
    cells.value[cell] = accuracy;
    cells.state[cell] = CellState::Valued;
    cells.texts[cell] = fixedText(accuracy, 2);
    mark.tips[cell] = "<b>accuracy " + fixedText(accuracy, 2) +
                      (ofTokens ? "" : intervalOfRow(probes, row, "accuracy", 2)) + "</b><br>" +
                      fixedText(numberAt(probes, "nll", row), 3) + intervalOfRow(probes, row, "nll", 3) +
                      " nats per token<br>" + numberLabel(numberAt(probes, "texts", row), 0) + " texts";
  }
  mark.kind = std::move(cells);
  box.marks.push_back(std::move(mark));
  Plot plot;
  plot.boxes.push_back(std::move(box));
  return plot;
}

}  // namespace

Plot probesPlot(const Table& probes) {
  std::vector<PanelPlot> panels;
  double texts = 0;
  for (const std::string& kind : distinct(probes, "kind")) {
    std::vector<std::size_t> rows;
    for (const std::size_t row : rowsWhere(probes, "kind", kind)) {
      if (textAt(probes, "condition", row) == "present" && std::isfinite(numberAt(probes, "depth", row)))
        rows.push_back(row);
    }
    if (rows.empty()) continue;
    texts = std::max(texts, numberAt(probes, "texts", rows.front()));
    const bool ofTokens = kind.ends_with("repeat");
    panels.push_back({words(kind) + (ofTokens ? " (tokens)" : ""), accuracyMap(probes, rows, ofTokens)});
  }
  if (panels.empty()) throw InputError("the probes have no lengths and depths");
  PanelOptions options;
  options.letters = false;
  Plot plot = composePlots(std::move(panels), options);
  plot.scale = ColourScale{"maps", 0, 1, "accuracy"};
  plot.legend.push_back(textEntry("share of " + numberLabel(texts, 0) +
                                  " texts whose whole answer is predicted; of repeats, share of tokens"));
  return plot;
}

Plot retrievalPlot(const Table& retrieval) {
  constexpr std::size_t kShown = 20;
  std::vector<std::size_t> rows = rowsWhere(retrieval, "kind", "all");
  std::ranges::stable_sort(rows, std::greater(),
                           [&](std::size_t row) { return numberAt(retrieval, "score", row); });
  rows.resize(std::min(rows.size(), kShown));
  Box box;
  box.frame = Frame::Open;
  box.x.ticks = Ticks::AllNames;
  box.x.low = -0.6;
  box.x.high = static_cast<double>(rows.size()) - 0.4;
  box.x.slant = 60;
  box.y.title = "retrieval score";
  box.y.high = 1;
  box.y.grid = true;
  BarMarks bars;
  ErrorBarMarks whiskers;
  whiskers.strokes = {{Ink::Text, 1, Weight::Thin}};
  whiskers.cap = kWhiskerCap;
  bars.fills = {Ink::Bars};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto x = static_cast<double>(i);
    const HeadName head = HeadColumns(retrieval)[rows[i]];
    box.x.names.push_back(head.text());
    bars.left.push_back(x - 0.36);
    bars.right.push_back(x + 0.36);
    bars.bottom.push_back(0);
    bars.top.push_back(numberAt(retrieval, "score", rows[i]));
    whiskers.x.push_back(x);
    whiskers.low.push_back(numberAt(retrieval, "score_low", rows[i]));
    whiskers.high.push_back(numberAt(retrieval, "score_high", rows[i]));
  }
  box.marks.push_back({.kind = std::move(bars), .names = box.x.names});
  box.marks.push_back({std::move(whiskers)});
  Plot plot;
  const double texts = rows.empty() ? 0 : numberAt(retrieval, "texts", rows.front());
  plot.legend = {textEntry("the " + std::to_string(rows.size()) + " heads with the highest score of all"),
                 whiskerEntry("95 % over " + numberLabel(texts, 0) + " texts")};
  plot.boxes.push_back(std::move(box));
  return plot;
}

namespace {

// One way to change heads and one class of tokens: the effect of each ranking by dose.
Plot dosePanel(const Table& effects, const std::vector<std::size_t>& rows) {
  const Places doses = placesIn(effects, "dose", rows);
  Box box;
  box.x = doses.axis("heads changed", [](double heads) { return numberLabel(heads, 0); });
  box.y.title = titleForms("increase of the loss|loss", kLossUnit);
  box.y.grid = true;
  const auto at = [&](std::size_t row, const std::string& column) { return numberAt(effects, column, row); };
  Extent extent;
  extent.add(0);
  BandMark random{{}, {}, {}, Colour(Ink::OtherHeads, 0.6)};
  std::map<std::string, std::vector<std::size_t>> sets;
  Texts order;
  for (const std::size_t row : rows) {
    const std::string set = textAt(effects, "set", row);
    if (!sets.contains(set)) order.push_back(set);
    sets[set].push_back(row);
    for (const char* column : {"effect", "low", "high", "random_low", "random_high"})
      extent.add(at(row, column));
  }
  // Where there is one number of heads, bands are as wide as bars, and the sets stand beside each other.
  const bool single = doses.values.size() == 1;
  const auto widen = [&](BandMark& band, std::size_t row, double x, const std::string& name, double reach) {
    for (const double aside : single ? Values{-reach, reach} : Values{0}) {
      band.x.push_back(x + aside);
      band.low.push_back(at(row, name + "_low"));
      band.high.push_back(at(row, name + "_high"));
    }
  };
  for (const std::size_t row : sets[order.front()])
    widen(random, row, static_cast<double>(doses.of(at(row, "dose"))), "random", 0.45);
  Plot plot;
  if (anyFinite(random.high)) {
    plot.legend.push_back(
        boxEntry("95 % of " + numberLabel(at(rows.front(), "random_sets"), 0) + " random sets",
                 Colour(Ink::OtherHeads, 0.6)));
    box.marks.push_back({std::move(random)});
  }
  box.marks.push_back(zeroRule());
  constexpr Marker kMarkers[] = {Marker::Circle, Marker::Square, Marker::Diamond, Marker::Triangle};
  for (std::size_t s = 0; s < order.size(); ++s) {
    const SeriesStyle style = seriesStyle(taxonomyColour(s), kMarkers[s % std::size(kMarkers)]);
    const double aside =
        order.size() > 1 ? (single ? 0.5 : 0.16) * (static_cast<double>(s) / (order.size() - 1) - 0.5) : 0;
    Values x, y;
    std::vector<Interval> intervals;
    BandMark matched{{}, {}, {}, style.colour.faded(0.18)};
    Texts tips;
    for (const std::size_t row : sets[order[s]]) {
      x.push_back(static_cast<double>(doses.of(at(row, "dose"))) + aside);
      y.push_back(at(row, "effect"));
      intervals.push_back({at(row, "low"), at(row, "high")});
      widen(matched, row, x.back(), "matched", 0.3 / static_cast<double>(order.size()));
      tips.push_back("<b>" + richEscaped(order[s]) + ", " + numberLabel(at(row, "dose"), 0) +
                     " heads</b><br>" + fixedText(y.back(), 3) + " [" + fixedText(intervals.back().low, 3) +
                     ", " + fixedText(intervals.back().high, 3) + "] nats per token<br>" +
                     numberLabel(at(row, "texts"), 0) + " texts \u00b7 <i>p</i> among matched sets " +
                     fixedText(at(row, "p_matched"), 3));
    }
    if (anyFinite(matched.high)) box.marks.push_back({std::move(matched)});
    if (anyKnown(intervals))
      box.marks.push_back(whiskerMark(x, intervals, std::vector<Colour>(x.size(), style.colour)));
    Mark line = seriesMark(x, y, style, order[s]);
    line.tips = tips;
    box.marks.push_back(std::move(line));
    plot.legend.push_back(seriesEntry(richEscaped(order[s]), style));
  }
  plot.legend.push_back(textEntry("shaded: 95 % of its matched sets \u00b7 whiskers: 95 % over " +
                                  numberLabel(at(rows.front(), "texts"), 0) + " texts"));
  const double space = 0.06 * std::max(1e-9, extent.high - extent.low);
  box.y.low = extent.low - space;
  box.y.high = extent.high + space;
  plot.boxes.push_back(std::move(box));
  return plot;
}

}  // namespace

Plot dosesPlot(const Table& effects) {
  constexpr std::size_t kMaxDosePanels = 6;
  std::vector<PanelPlot> panels;
  const Texts ways = distinct(effects, "way");
  for (const std::string& outcome : distinct(effects, "outcome")) {
    for (const std::string& way : ways) {
      std::vector<std::size_t> rows;
      for (const std::size_t row : rowsWhere(effects, "outcome", outcome)) {
        if (textAt(effects, "way", row) == way && textAt(effects, "measure", row) == "nll" &&
            textAt(effects, "kind", row) == "ranking")
          rows.push_back(row);
      }
      if (!rows.empty() && panels.size() < kMaxDosePanels)
        panels.push_back(
            {words(outcome) + (ways.size() > 1 ? ", " + words(way) : ""), dosePanel(effects, rows)});
    }
  }
  if (panels.empty()) throw InputError("the study has no sets of heads ranked by a column");
  return composePlots(std::move(panels), {});
}

namespace {

constexpr double kLevel = 0.05;
constexpr std::size_t kMostEdges = 100, kMostNames = 24;

// The edges between heads of a table, and which of them are drawn.
class Edges {
 public:
  Edges(const Table& table, std::optional<HeadName> selected)
      : m_table(table),
        m_fromLayer(table, "from_layer"),
        m_fromHead(table, "from_head"),
        m_toLayer(table, "to_layer"),
        m_toHead(table, "to_head") {
    std::vector<std::size_t> rows, own;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      heads.insert({from(row), to(row)});
      if (!cut() || number(row, "p_adjusted") <= kLevel) rows.push_back(row);
    }
    drawable = rows.size();
    std::ranges::stable_sort(rows, std::greater(), [&](std::size_t row) { return sizeOf(row); });
    for (const std::size_t row : rows) {
      const bool isOwn = from(row) == selected || to(row) == selected;
      if (std::vector<std::size_t>& list = isOwn ? own : shown; list.size() < kMostEdges) list.push_back(row);
    }
    std::ranges::sort(shown);
    std::ranges::sort(own);
    emphasised = own.size();
    shown.insert(shown.end(), own.begin(), own.end());
  }

  HeadName from(std::size_t row) const { return {m_fromLayer.index(row), m_fromHead.index(row)}; }
  HeadName to(std::size_t row) const { return {m_toLayer.index(row), m_toHead.index(row)}; }
  bool cut() const { return m_table.find("p_adjusted") != nullptr; }
  double number(std::size_t row, const char* column) const { return numberAt(m_table, column, row); }
  // Width of an edge: the change of the loss, or the score above that of random matrices.
  double sizeOf(std::size_t row) const {
    const double size = std::fabs(number(row, cut() ? "nll_change" : "excess"));
    return std::isfinite(size) ? size : 0;
  }
  std::string tip(std::size_t row) const {
    std::string tip = "<b>" + from(row).text() + " into " + textAt(m_table, "into", row) + " of " +
                      to(row).text() + "</b><br>score " + fixedText(number(row, "score"), 3) + ", " +
                      fixedText(number(row, "excess"), 3) + " above random";
    if (!cut()) return tip;
    return tip + "<br>cut: " + fixedText(number(row, "nll_change"), 3) +
           intervalOfRow(m_table, row, "nll_change", 3) + " nats per token<br>" +
           numberLabel(number(row, "texts"), 0) + " texts \u00b7 <i>p</i> over edges " +
           fixedText(number(row, "p_adjusted"), 4);
  }

  std::set<HeadName> heads;        // all ends
  std::vector<std::size_t> shown;  // rows; those of the selected head last
  std::size_t emphasised = 0;      // number of the latter
  std::size_t drawable = 0;        // rows before the limit

 private:
  const Table& m_table;
  NumberColumn m_fromLayer, m_fromHead, m_toLayer, m_toHead;
};

std::string edgesNote(const Edges& edges, std::size_t rows) {
  const auto number = [](std::size_t count) { return numberLabel(static_cast<double>(count), 0); };
  const std::string all = number(rows) + " edges", width = " \u00b7 width: ";
  if (edges.cut())
    return edges.drawable == 0 ? "none of " + all + " changes the loss (5 % over edges)"
                               : number(edges.drawable) + " of " + all + " change the loss (5 % over edges)" +
                                     width + "change";
  return (edges.drawable > kMostEdges ? "the highest " + number(kMostEdges) + " of " + all : all) + width +
         "score above random";
}

}  // namespace

std::vector<HeadName> compositionHeads(const Table& table) {
  const Edges edges(table, {});
  return {edges.heads.begin(), edges.heads.end()};
}

Plot compositionPlot(const Table& table, std::optional<HeadName> selected) {
  const Stroke kInto[] = {{taxonomyColour(0), 1},
                          {taxonomyColour(2), 1, Weight::Line, {5, 2}},
                          {taxonomyColour(3), 1, Weight::Line, {1.5, 1.5}}};
  const Texts inputs = {"q", "k", "v"};
  const Edges edges(table, selected);
  if (edges.heads.empty()) throw InputError("the composition has no edges");
  // Without edges of the selected head nothing is faded.
  const std::size_t faded = edges.emphasised == 0 ? 0 : edges.shown.size() - edges.emphasised;
  std::set<HeadName> named;
  double largest = 1e-12;
  for (std::size_t i = 0; i < edges.shown.size(); ++i) {
    if (i >= faded) named.insert({edges.from(edges.shown[i]), edges.to(edges.shown[i])});
    largest = std::max(largest, edges.sizeOf(edges.shown[i]));
  }
  Box box;
  box.frame = Frame::Open;
  box.x.title = "layer";
  box.y.title = "head";
  box.x.ticks = box.y.ticks = Ticks::Whole;
  Extent layers, numbers;
  PointMarks dots{.style = {Marker::Circle, Ink::Muted, false, 1.4}};
  Mark dotMark;
  LabelMarks labels{.radius = 1.8};
  for (const HeadName& head : edges.heads) {
    dots.x.push_back(static_cast<double>(head.layer));
    dots.y.push_back(static_cast<double>(head.head));
    dotMark.tips.push_back("<b>" + head.text() + "</b>");
    layers.add(dots.x.back());
    numbers.add(dots.y.back());
    if (named.size() > kMostNames) continue;
    labels.x.push_back(dots.x.back());
    labels.y.push_back(dots.y.back());
    labels.texts.push_back(named.contains(head) ? head.text() : "");  // "": kept clear of names
  }
  dots.slots = layers.high - layers.low + 1.2;
  box.x.low = layers.low - 0.6;
  box.x.high = layers.high + 0.6;
  box.y.low = numbers.low - 0.8;
  box.y.high = numbers.high + 0.8;
  Plot plot;
  for (std::size_t into = 0; into < inputs.size(); ++into) {
    SegmentMarks lines;
    Mark mark;
    for (std::size_t i = 0; i < edges.shown.size(); ++i) {
      const std::size_t row = edges.shown[i];
      if (textAt(table, "into", row) != inputs[into]) continue;
      const HeadName from = edges.from(row), to = edges.to(row);
      lines.x0.push_back(static_cast<double>(from.layer));
      lines.y0.push_back(static_cast<double>(from.head));
      lines.x1.push_back(static_cast<double>(to.layer));
      lines.y1.push_back(static_cast<double>(to.head));
      lines.strokes.push_back(kInto[into]);
      lines.strokes.back().width = 0.6 + 2.4 * edges.sizeOf(row) / largest;
      if (i < faded) lines.strokes.back().colour = kInto[into].colour.faded(0.3);
      mark.tips.push_back(edges.tip(row));
    }
    if (lines.x0.empty()) continue;
    mark.kind = std::move(lines);
    box.marks.push_back(std::move(mark));
    plot.legend.push_back(lineEntry("into " + inputs[into], kInto[into]));
  }
  dotMark.kind = std::move(dots);
  box.marks.push_back(std::move(dotMark));
  box.marks.push_back({std::move(labels)});
  plot.legend.push_back(textEntry(edgesNote(edges, table.rows())));
  plot.boxes.push_back(std::move(box));
  return plot;
}

std::span<const CausalFigure> causalFigures() {
  static constexpr CausalFigure kFigures[] = {
      {"probes", "probes", "Probes", 0.6, true, probesPlot},
      {"retrieval", "retrieval", "Retrieval scores", 0.5, false, retrievalPlot},
      {"doses", "effects", "Cost of changed heads", 0.6, true, dosesPlot},
  };
  return kFigures;
}

}  // namespace plastiscope
