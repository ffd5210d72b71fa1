// Combines panels into one figure; what they have in common is shown once.
#include <algorithm>
#include <cmath>

#include "core/figures/parts.h"

namespace plastiscope {

namespace {

// Smallest share of a shared range that a panel must fill.
constexpr double kLeastShare = 0.25;

bool holds(const std::vector<LegendEntry>& legend, const LegendEntry& wanted) {
  return std::any_of(legend.begin(), legend.end(),
                     [&wanted](const LegendEntry& entry) { return entry.text == wanted.text; });
}

// Symbols are shared from two panels on; texts only by all panels.
bool isCommon(const LegendEntry& entry, const std::vector<PanelPlot>& panels) {
  const auto count = std::count_if(panels.begin(), panels.end(), [&entry](const PanelPlot& panel) {
    return holds(panel.plot.legend, entry);
  });
  return count == static_cast<std::ptrdiff_t>(panels.size()) || (entry.symbol.width > 0 && count > 1);
}

// Removes the entries that panels have in common from their legends.
std::vector<LegendEntry> takeCommon(std::vector<PanelPlot>& panels) {
  std::vector<LegendEntry> common;
  for (const PanelPlot& panel : panels) {
    for (const LegendEntry& entry : panel.plot.legend) {
      if (holds(common, entry) || !isCommon(entry, panels)) continue;
      common.push_back(entry);
      if (panels.size() > 1) common.back().detail.clear();
    }
  }
  for (PanelPlot& panel : panels)
    std::erase_if(panel.plot.legend, [&common](const LegendEntry& entry) { return holds(common, entry); });
  return common;
}

std::vector<Box*> boxesOf(Plot& plot) {
  std::vector<Box*> boxes;
  for (Box& box : plot.boxes) boxes.push_back(&box);
  for (Plot& panel : plot.panels) {
    const std::vector<Box*> inner = boxesOf(panel);
    boxes.insert(boxes.end(), inner.begin(), inner.end());
  }
  return boxes;
}

std::string beforeFirst(const std::string& text, std::string_view mark) {
  return text.substr(0, text.find(mark));
}

// Measured quantity of an axis: its title without the parts of a single panel.
std::string quantityOf(const Axis& axis) {
  return beforeFirst(beforeFirst(axis.title, "|"), " \u00b7 ");
}

// Axes with named places have no title.
bool sameNames(const Axis& a, const Axis& b) {
  if (a.ticks == Ticks::AllNames || b.ticks == Ticks::AllNames)
    return a.ticks == b.ticks && a.names == b.names;
  return !quantityOf(a).empty();
}

bool sharable(const std::vector<Axis*>& axes, double low, double high) {
  return std::all_of(axes.begin(), axes.end(), [&](const Axis* axis) {
    return quantityOf(*axis) == quantityOf(*axes.front()) && sameNames(*axis, *axes.front()) &&
           axis->high - axis->low >= kLeastShare * (high - low);
  });
}

void shareAxis(const std::vector<Axis*>& axes, bool vertical, int columns) {
  double low = axes.front()->low, high = axes.front()->high;
  for (const Axis* axis : axes) {
    low = std::min(low, axis->low);
    high = std::max(high, axis->high);
  }
  if (!sharable(axes, low, high)) return;
  const bool sameTitle = std::all_of(
      axes.begin(), axes.end(), [&axes](const Axis* axis) { return axis->title == axes.front()->title; });
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i]->low = low;
    axes[i]->high = high;
    const bool outer =
        vertical ? static_cast<int>(i) % columns == 0 : i + static_cast<std::size_t>(columns) >= axes.size();
    if (outer) continue;
    axes[i]->labels = false;
    if (sameTitle) axes[i]->title.clear();
  }
}

// An axis is shared if it means the same in all panels and no panel is squeezed by the common range.
void shareAxes(std::vector<PanelPlot>& panels, int columns) {
  std::vector<std::vector<Box*>> boxes;
  for (PanelPlot& panel : panels) boxes.push_back(boxesOf(panel.plot));
  for (const auto& panel : boxes) {
    if (panel.size() != boxes.front().size()) return;
  }
  for (std::size_t i = 0; i < boxes.front().size(); ++i) {
    for (Axis Box::*which : {&Box::x, &Box::y}) {
      std::vector<Axis*> axes;
      for (const auto& panel : boxes) axes.push_back(&(panel[i]->*which));
      shareAxis(axes, which == &Box::y, columns);
    }
  }
}

std::optional<ColourScale> commonScale(const std::vector<PanelPlot>& panels) {
  const auto scaleOf = [](const PanelPlot& panel) {
    return panel.plot.boxes.size() == 1 ? panel.plot.boxes.front().scale : std::nullopt;
  };
  const auto first = scaleOf(panels.front());
  const bool same = first && panels.size() > 1 &&
                    std::all_of(panels.begin(), panels.end(),
                                [&](const PanelPlot& panel) { return scaleOf(panel) == first; });
  return same ? first : std::nullopt;
}

std::string headOf(const PanelPlot& panel, std::size_t index, bool letters) {
  if (!letters) return panel.title;
  const std::string letter = "<b>(" + std::string(1, static_cast<char>('a' + index % 26)) + ")</b>";
  return panel.title.empty() ? letter : letter + " " + panel.title;
}

}  // namespace

std::pair<int, int> panelGrid(std::size_t panels, int columns) {
  const int count = static_cast<int>(std::max<std::size_t>(1, panels));
  const int across = columns > 0  ? std::min(columns, count)
                     : count == 3 ? 3
                                  : static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  return {across, (count + across - 1) / across};
}

Plot composePlots(std::vector<PanelPlot> panels, const PanelOptions& options) {
  Plot whole;
  whole.columns = panelGrid(panels.size(), options.columns).first;
  const bool letters = options.letters && panels.size() > 1;
  whole.unlike = options.unlike;
  whole.places = options.places;
  if (!options.unlike) shareAxes(panels, whole.columns);
  if (options.places.empty()) {
    whole.legend = takeCommon(panels);
    whole.scale = commonScale(panels);
  }
  std::vector<LegendEntry>& notes = options.places.empty() ? whole.legend : panels.front().plot.legend;
  if (!options.note.empty()) notes.push_back(textEntry(options.note));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    Plot& plot = panels[i].plot;
    if (whole.scale) plot.boxes.front().scale.reset();
    // A title, or the head in it, is not repeated in the legend.
    std::erase_if(plot.legend, [&](const LegendEntry& entry) {
      const bool isText = entry.symbol.width == 0 && !entry.text.empty();
      return entry.text == panels[i].title || (isText && panels[i].title.ends_with(", " + entry.text));
    });
    const std::string head = headOf(panels[i], i, letters);
    if (!head.empty()) plot.legend.insert(plot.legend.begin(), textEntry(head));
    plot.oneLine = false;
    whole.panels.push_back(std::move(plot));
  }
  return whole;
}

}  // namespace plastiscope
