#include "widgets/plots/composition.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/plots/panel_furniture.h"
#include "widgets/plots/series_look.h"
#include "widgets/plots/shared_axes.h"

namespace plastiscope {

namespace {

constexpr double kNothing = 1e-6;  // stretch of an empty row

LegendEntry writtenEntry(const QString& text) {
  return {text, 0, [](QCPPainter&, const QRectF&) {}};
}

bool holds(const std::vector<LegendEntry>& legend, const LegendEntry& wanted) {
  return std::any_of(legend.begin(), legend.end(),
                     [&wanted](const LegendEntry& entry) { return entry.text == wanted.text; });
}

// Symbols explain several panels from two on; words hold for all or for one.
bool isCommon(const LegendEntry& entry, const std::vector<PanelFurniture>& furniture) {
  const auto count = std::count_if(furniture.begin(), furniture.end(), [&entry](const PanelFurniture& panel) {
    return holds(panel.legend, entry);
  });
  const auto all = static_cast<std::ptrdiff_t>(furniture.size());
  return count == all || (entry.symbolWidth > 0 && count > 1);
}

// Takes what panels have in common out of their legends.
std::vector<LegendEntry> takeCommon(std::vector<PanelFurniture>& furniture) {
  std::vector<LegendEntry> common;
  for (const PanelFurniture& panel : furniture) {
    for (const LegendEntry& entry : panel.legend) {
      if (holds(common, entry) || !isCommon(entry, furniture)) continue;
      common.push_back(entry);
      if (furniture.size() > 1) common.back().detail.clear();
    }
  }
  for (PanelFurniture& panel : furniture)
    std::erase_if(panel.legend, [&common](const LegendEntry& entry) { return holds(common, entry); });
  return common;
}

bool sameBar(const std::vector<PanelFurniture>& furniture) {
  const auto& first = furniture.front().bar;
  return first && std::all_of(furniture.begin(), furniture.end(), [&first](const PanelFurniture& panel) {
           return panel.bar && panel.bar->map == first->map && panel.bar->options == first->options;
         });
}

QString headOf(const FigurePanel& panel, std::size_t index, bool letters) {
  if (!letters) return panel.title;
  const QString letter = QStringLiteral("<b>(%1)</b>").arg(QChar(static_cast<char16_t>('a' + index % 26)));
  return panel.title.isEmpty() ? letter : letter + " " + panel.title;
}

// The panels while they are built.
struct Panels {
  std::vector<QCPLayoutGrid*> cells;
  std::vector<PanelFurniture> furniture;
  std::vector<std::vector<QCPAxisRect*>> boxes;
};

Panels buildPanels(QCustomPlot& plot, EqualPanels& body, int columns, const std::vector<FigurePanel>& panels,
                   const PlotStyle& style) {
  Panels built;
  built.furniture.resize(panels.size());
  for (std::size_t i = 0; i < panels.size(); ++i) {
    QCPLayoutGrid& cell = body.addPanel(static_cast<int>(i) / columns, static_cast<int>(i) % columns);
    panels[i].build(FigurePlace(plot, cell, built.furniture[i]), style);
    built.cells.push_back(&cell);
    built.boxes.push_back(boxesOf(cell));
  }
  return built;
}

// Heads of a row are equally high, so that its boxes are; a row of the grid without an element would take
// room.
void alignHeads(const Panels& built, int columns) {
  for (std::size_t first = 0; first < built.cells.size(); first += static_cast<std::size_t>(columns)) {
    const std::size_t end = std::min(built.cells.size(), first + static_cast<std::size_t>(columns));
    int height = 0;
    for (std::size_t i = first; i < end; ++i) {
      if (built.cells[i]->hasElement(0, 0))
        height = std::max(height, built.cells[i]->element(0, 0)->minimumOuterSizeHint().height());
      else
        built.cells[i]->setRowStretchFactor(0, kNothing);
    }
    for (std::size_t i = first; i < end; ++i) {
      if (!built.cells[i]->hasElement(0, 0)) continue;
      QCPLayoutElement& head = *built.cells[i]->element(0, 0);
      head.setSizeConstraintRect(QCPLayoutElement::scrOuterRect);
      head.setMinimumSize(1, height);
      head.setMaximumSize(QWIDGETSIZE_MAX, height);
    }
  }
}

// One colour bar beside all panels: from the top of the first row's boxes to the bottom of the last one's.
void addCommonBar(const FigurePlace& place, const PlotStyle& style, const Panels& built) {
  const PanelBar& bar = *built.furniture.front().bar;
  QCPAxisRect& rect = layColourBar(place, 1, 1, style, nullptr, *bar.map, bar.options);
  auto* group = new QCPMarginGroup(&place.plot());
  for (QCPAxisRect* box : {built.boxes.back().front(), &rect}) box->setMarginGroup(QCP::msBottom, group);
  QMargins margins = rect.minimumMargins();
  const QCPAxisRect& first = *built.boxes.front().front();
  const bool headed = built.cells.front()->hasElement(0, 0);
  const double head = headed ? QFontMetricsF(style.tick).height() + style.u(3) + style.units(4) : 0;
  margins.setTop(first.minimumMargins().top() + static_cast<int>(head));
  rect.setMinimumMargins(margins);
}

}  // namespace

PanelGrid panelGrid(std::size_t panels, int columns) {
  const int count = static_cast<int>(std::max<std::size_t>(1, panels));
  PanelGrid grid;
  grid.columns = columns > 0  ? std::min(columns, count)
                 : count == 3 ? 3
                              : static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  grid.rows = (count + grid.columns - 1) / grid.columns;
  return grid;
}

void buildComposition(const FigurePlace& place, const std::vector<FigurePanel>& panels,
                      const PlotStyle& style, const CompositionOptions& options) {
  place.clear(style);
  QCustomPlot& plot = place.plot();
  const PanelGrid grid = panelGrid(panels.size(), options.columns);
  const bool letters = options.letters && panels.size() > 1;
  auto* body = new EqualPanels;
  place.grid().addElement(1, 0, body);
  body->setRowSpacing(style.units(style.print ? 3 : 5));
  body->setColumnSpacing(style.units(style.print ? 5 : 8));
  Panels built = buildPanels(plot, *body, grid.columns, panels, style);
  shareAxes(built.boxes, grid.columns);
  std::vector<LegendEntry> common = takeCommon(built.furniture);
  if (!options.note.isEmpty()) common.push_back(writtenEntry(options.note));
  const bool oneBar = panels.size() > 1 && sameBar(built.furniture);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    QCPLayoutGrid& cell = *built.cells[i];
    std::vector<LegendEntry>& legend = built.furniture[i].legend;
    // What the panel's title says is not said twice.
    std::erase_if(legend, [&](const LegendEntry& entry) { return entry.text == panels[i].title; });
    const QString head = headOf(panels[i], i, letters);
    if (!head.isEmpty()) legend.insert(legend.begin(), writtenEntry(head));
    const FigurePlace whole(plot, cell);
    if (!legend.empty()) addWrappedLegend(whole, 0, 0, style, std::move(legend), 1.0 / grid.columns);
    const auto& bar = built.furniture[i].bar;
    if (bar && !oneBar)
      layColourBar(whole, bar->row, bar->column, style, bar->beside, *bar->map, bar->options);
  }
  alignHeads(built, grid.columns);
  if (!common.empty())
    addWrappedLegend(place, 0, 0, style, std::move(common));
  else
    place.grid().setRowStretchFactor(0, kNothing);
  if (oneBar) addCommonBar(place, style, built);
}

}  // namespace plastiscope
