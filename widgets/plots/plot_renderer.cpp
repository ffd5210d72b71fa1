#include "widgets/plots/plot_renderer.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "widgets/plots/plot_elements.h"
#include "widgets/plots/primitives.h"

namespace plastiscope {

namespace {

constexpr double kNothing = 1e-6;        // stretch of an empty row
constexpr double kNarrowColumn = 0.001;  // stretch of boxes and scales with a fixed width
constexpr QCPAxis::AxisType kSides[] = {QCPAxis::atLeft, QCPAxis::atBottom, QCPAxis::atRight, QCPAxis::atTop};

// Hides ticks: ticks of length 0 would be drawn as dots.
void hideTicks(QCPAxis& axis) {
  axis.setTickLength(0, 0);
  axis.setTickPen(Qt::NoPen);
}

void setUpAxis(QCPAxis& on, QCPAxis& across, const Axis& axis, const PlotStyle& style) {
  on.setRange(axis.low, axis.high);
  on.setRangeReversed(axis.reversed);
  on.setTicker(tickerOf(axis, on));
  on.setTickLabels(axis.labels && !axis.opposite);
  on.setTickLabelRotation(axis.slant);
  if (!axis.tickMarks) hideTicks(on);
  if (!axis.tickMarks && axis.ticks == Ticks::AllNames &&
      on.orientation() == Qt::Vertical)  // names of models
    on.setTickLabelPadding(on.tickLabelPadding() + style.units(1.5));
  on.grid()->setVisible(axis.grid);
  titleAxis(on, QString::fromStdString(axis.title), style);
  const bool named = !axis.farNames.empty();
  if (!axis.opposite && !named) return;
  across.setRange(axis.low, axis.high);
  across.setRangeReversed(axis.reversed);
  const auto label = [](QCPAxis& side, const Axis& of) {
    side.setTicker(tickerOf(of, side));
    side.setTicks(true);
    side.setTickLabels(of.labels);
    hideTicks(side);
  };
  if (axis.opposite) label(across, axis);
  if (!named) return;
  Axis far;
  far.ticks = Ticks::Names;
  far.names = axis.farNames;
  far.places = axis.farPlaces;
  label(axis.opposite ? on : across, far);
}

// Sets the lines around a box.
void setUpFrame(QCPAxisRect& rect, Frame frame, const PlotStyle& style) {
  const bool closed = frame != Frame::Open || !style.print;
  for (const auto side : kSides) {
    QCPAxis& axis = *rect.axis(side);
    axis.setLayer("axes");
    axis.grid()->setLayer("grid");
    styleAxis(axis, style);
    const bool labelled = side == QCPAxis::atLeft || side == QCPAxis::atBottom;
    axis.setVisible(labelled || closed);
    axis.setTicks(labelled);
    axis.setTickLabels(labelled);
    axis.grid()->setVisible(false);
    const QPen border = pen(style.colours.border, style.axisWidth);
    if (!labelled || !style.print) axis.setBasePen(border);
    if (labelled && !style.print) axis.setTickPen(border);
    if (frame == Frame::None) axis.setBasePen(Qt::NoPen);
  }
}

// Fills a QCustomPlot.
class PlotBuilder {
 public:
  PlotBuilder(QCustomPlot& target, const PlotStyle& style, const RenderOptions& options)
      : m_target(target), m_style(style), m_options(options) {}

  RenderedPlot build(std::shared_ptr<const Plot> plot) {
    m_rendered.plot = std::move(plot);
    clearPlot(m_target, m_style);
    place(*m_rendered.plot, *m_target.plotLayout(), 1, false);
    return std::move(m_rendered);
  }

 private:
  // `share`: of the total width.
  void place(const Plot& plot, QCPLayoutGrid& grid, double share, bool asPanel) {
    grid.setRowSpacing(m_style.units(4));
    grid.setColumnSpacing(m_style.units(4));
    if (!plot.places.empty()) return placeFreely(plot, grid, share);
    if (!plot.panels.empty()) return placePanels(plot, grid, share);
    const int first = plot.oneLine && plot.legend.empty() && !asPanel ? 0 : 1;
    std::vector<QCPAxisRect*> rects;
    for (std::size_t i = 0; i < plot.boxes.size(); ++i) {
      const int row = first + static_cast<int>(i);
      rects.push_back(&addBox(plot.boxes[i], grid, row));
      if (plot.boxes.size() > 1) grid.setRowStretchFactor(row, plot.boxes[i].height);
    }
    // A row without a legend would take half of the space; legends have a fixed height.
    if (first == 1) grid.setRowStretchFactor(0, kNothing);
    if (rects.size() > 1) align(rects, QCP::msLeft | QCP::msRight);
    if (!plot.legend.empty()) addLegend(plot, grid, share, plot.oneLine ? rects.front() : nullptr);
  }

  void align(const std::vector<QCPAxisRect*>& rects, QCP::MarginSides sides) {
    // All elements on one side of a box belong to one margin group.
    const auto first = sides.testFlag(QCP::msTop)    ? QCP::msTop
                       : sides.testFlag(QCP::msLeft) ? QCP::msLeft
                                                     : QCP::msBottom;
    QCPMarginGroup* group = rects.front()->marginGroup(first);
    if (group == nullptr) group = new QCPMarginGroup(&m_target);
    for (QCPAxisRect* rect : rects) rect->setMarginGroup(sides, group);
  }

  void addLegend(const Plot& plot, QCPLayoutGrid& grid, double share, QCPAxisRect* oneLineAbove) {
    auto* legend = new LegendElement(m_target, m_style, plot.legend, share, oneLineAbove);
    grid.addElement(0, 0, legend);
    m_rendered.legends.push_back(legend);
  }

  QCPAxisRect& newRect(QCPLayoutGrid& grid, int row, int column, Frame frame) {
    auto* rect = new QCPAxisRect(&m_target, true);
    grid.addElement(row, column, rect);
    setUpFrame(*rect, frame, m_style);
    rect->setMinimumSize(m_style.units(20), m_style.units(20));
    return *rect;
  }

  QCPAxisRect& addBox(const Box& box, QCPLayoutGrid& grid, int row) {
    QCPAxisRect& rect = newRect(grid, row, 0, box.frame);
    const double beyond =
        QFontMetricsF(m_style.tick).horizontalAdvance(QString::fromStdString(box.x.lastLabel)) / 2 +
        m_style.u(1.5);
    const int right = std::max(m_style.units(m_style.print ? 4 : 8), static_cast<int>(std::ceil(beyond)));
    rect.setMinimumMargins(QMargins(m_style.units(2), m_style.units(m_style.print ? 3 : 4), right, 0));
    if (box.outside && !m_style.print) rect.setBackground(QBrush(m_style.colours.window));
    setUpAxis(*rect.axis(QCPAxis::atBottom), *rect.axis(QCPAxis::atTop), box.x, m_style);
    setUpAxis(*rect.axis(QCPAxis::atLeft), *rect.axis(QCPAxis::atRight), box.y, m_style);
    addMarks(rect, box);
    m_rendered.boxes.push_back({&rect, &box});
    for (std::size_t i = 0; i < box.beside.size(); ++i)
      addBeside(box.beside[i], grid, row, static_cast<int>(i) + 1, rect);
    if (box.scale) addScale(*box.scale, grid, row, static_cast<int>(box.beside.size()) + 1, &rect);
    return rect;
  }

  // Has the height of the box on its left.
  void addBeside(const Box& box, QCPLayoutGrid& grid, int row, int column, QCPAxisRect& beside) {
    QCPAxisRect& rect = newRect(grid, row, column, box.frame);
    setUpAxis(*rect.axis(QCPAxis::atBottom), *rect.axis(QCPAxis::atTop), box.x, m_style);
    setUpAxis(*rect.axis(QCPAxis::atLeft), *rect.axis(QCPAxis::atRight), box.y, m_style);
    fixWidth(rect, static_cast<int>(lengthOf(box.width, m_style)));
    rect.setMinimumMargins(QMargins(m_style.units(2), 0, m_style.units(m_style.print ? 3 : 8), 0));
    align({&beside, &rect}, QCP::msTop | QCP::msBottom);
    grid.setColumnStretchFactor(column, kNarrowColumn);
    addMarks(rect, box);
    m_rendered.boxes.push_back({&rect, &box});
  }

  void fixWidth(QCPAxisRect& rect, int width) {
    rect.setSizeConstraintRect(QCPLayoutElement::scrInnerRect);
    rect.setMinimumSize(width, m_style.units(20));
    rect.setMaximumSize(width, QWIDGETSIZE_MAX);
    rect.setRangeDrag({});
    rect.setRangeZoom({});
  }

  void addMarks(QCPAxisRect& rect, const Box& box) {
    constexpr std::pair<Layer, const char*> kLayers[] = {
        {Layer::Below, "grid"}, {Layer::Main, "main"}, {Layer::Above, "marks"}};
    for (const auto& [layer, name] : kLayers) {
      std::vector<const Mark*> clipped, free;
      for (const Mark& mark : box.marks) {
        if (mark.layer == layer) (mark.clip ? clipped : free).push_back(&mark);
      }
      for (const auto* marks : {&clipped, &free}) {
        if (marks->empty()) continue;
        new CustomLayer(rect, QLatin1String(name), marks == &clipped,
                        [&rect, all = *marks, plot = m_rendered.plot, style = m_style, options = m_options](
                            QCPPainter& painter) { paintMarks(painter, rect, all, style, options); });
      }
    }
  }

  static void paintMarks(QCPPainter& painter, const QCPAxisRect& rect, const std::vector<const Mark*>& marks,
                         const PlotStyle& style, const RenderOptions& options) {
    const bool vector = isVector(painter);
    const double dots = vector ? style.imageDpi / (72.0 * style.unit) : painter.device()->devicePixelRatioF();
    const BoxMap map(rect, style, vector, dots);
    for (const Mark* mark : marks) {
      if (options.cloud && std::holds_alternative<CloudMark>(mark->kind))
        options.cloud(painter, rect);
      else
        paintShapes(painter, shapesOf(*mark, map, options.lines.get()));
    }
  }

  // `beside`: box that sets the height of the bar; null = the caller sets it.
  QCPAxisRect& addScale(const ColourScale& scale, QCPLayoutGrid& grid, int row, int column,
                        QCPAxisRect* beside) {
    QCPAxisRect& bar = newRect(grid, row, column, Frame::Box);
    for (const auto side : {QCPAxis::atLeft, QCPAxis::atBottom}) {
      bar.axis(side)->setTicks(false);
      bar.axis(side)->setTickLabels(false);
    }
    QCPAxis& axis = *bar.axis(QCPAxis::atRight);
    axis.setTicks(true);
    axis.setTickLabels(true);
    axis.setTickPen(bar.axis(QCPAxis::atLeft)->tickPen());
    axis.setRange(scale.low, scale.high);
    axis.setTicker(numberTicker(axis, scale.unit));
    titleAxis(axis, QString::fromStdString(scale.title), m_style);
    fixWidth(bar, m_style.units(m_style.print ? 8 : 11));
    bar.setMinimumMargins(QMargins(m_style.units(m_style.print ? 3 : 2), 0, m_style.units(1), 0));
    if (beside != nullptr) align({beside, &bar}, QCP::msTop | QCP::msBottom);
    grid.setColumnStretchFactor(column, kNarrowColumn);
    new CustomLayer(bar, "grid", true, [&bar, colours = scale.colours, style = m_style](QCPPainter& painter) {
      paintShapes(painter, scaleShapes(QRectF(bar.rect()), colours, style));
    });
    m_rendered.scales.push_back({&bar, scale.colours});
    return bar;
  }

 public:
  // From the bottom, each colour up to the top: later ones cover earlier ones, so no gaps show.
  static Primitives scaleShapes(const QRectF& rect, const std::string& colours, const PlotStyle& style) {
    const ColourMap& map = colourMapOf(colours, style);
    Primitives shapes;
    for (int i = 0; i < 256; ++i) {
      QRectF step = rect;
      step.setBottom(rect.bottom() - rect.height() * i / 256);
      shapes.push_back(rectShape(step, QColor(map.colours()[static_cast<std::size_t>(i)])));
      shapes.back().crisp = true;
    }
    return shapes;
  }

 private:
  void placeFreely(const Plot& plot, QCPLayoutGrid& grid, double share) {
    auto* body = new FreePanels(plot.places);
    grid.addElement(0, 0, body);
    for (std::size_t i = 0; i < plot.panels.size(); ++i)
      place(plot.panels[i], body->addPanel(), share * plot.places[i].width, true);
  }

  void placePanels(const Plot& plot, QCPLayoutGrid& grid, double share) {
    auto* body = new EqualPanels(plot.unlike, plot.aligned ? rowHeights(plot) : std::vector<double>());
    grid.addElement(1, 0, body);
    body->setRowSpacing(m_style.units(m_style.print ? 3 : 5));
    constexpr int kManyColumns = 6;
    body->setColumnSpacing(m_style.units(plot.aligned && plot.columns > kManyColumns ? 2
                                         : m_style.print                             ? 5
                                                                                     : 8));
    std::vector<QCPLayoutGrid*> cells;
    for (std::size_t i = 0; i < plot.panels.size(); ++i) {
      cells.push_back(
          &body->addPanel(static_cast<int>(i) / plot.columns, static_cast<int>(i) % plot.columns));
      // Row titles and the scale leave less width for the column heads.
      constexpr double kOfColumns = 0.8;
      place(plot.panels[i], *cells.back(), (plot.aligned ? kOfColumns : 1) * share / plot.columns, true);
    }
    alignHeads(cells, plot.columns);
    if (plot.aligned) alignColumns(cells, plot.columns);
    if (!plot.legend.empty())
      addLegend(plot, grid, share, nullptr);
    else
      grid.setRowStretchFactor(0, kNothing);
    if (plot.scale) addCommonScale(*plot.scale, grid, cells);
  }

  static std::vector<double> rowHeights(const Plot& plot) {
    std::vector<double> heights;
    for (std::size_t first = 0; first < plot.panels.size(); first += static_cast<std::size_t>(plot.columns))
      heights.push_back(plot.panels[first].boxes.front().height);
    return heights;
  }

  // Aligns the left and right edges of the boxes and heads in each column, and of the scales of the last
  // column.
  void alignColumns(const std::vector<QCPLayoutGrid*>& cells, int columns) {
    std::vector<QCPAxisRect*> scales;
    std::vector<QCPLayoutGrid*> without;
    for (int column = 0; column < columns; ++column) {
      std::vector<QCPAxisRect*> boxes;
      std::vector<QCPLayoutElement*> heads;
      for (auto i = static_cast<std::size_t>(column); i < cells.size();
           i += static_cast<std::size_t>(columns)) {
        const auto rects = boxesOf(*cells[i]);
        boxes.push_back(rects.front());
        boxes.back()->setMinimumSize(m_style.units(6), m_style.units(20));  // for many columns
        if (cells[i]->hasElement(0, 0)) heads.push_back(cells[i]->element(0, 0));
        if (column + 1 < columns) continue;
        if (rects.size() > 1)
          scales.push_back(rects.back());
        else
          without.push_back(cells[i]);
      }
      align(boxes, QCP::msLeft | QCP::msRight);
      for (QCPLayoutElement* head : heads) {
        head->setAutoMargins(QCP::msLeft);
        head->setMarginGroup(QCP::msLeft, boxes.front()->marginGroup(QCP::msLeft));
      }
    }
    for (std::size_t first = 0; first < cells.size(); first += static_cast<std::size_t>(columns))
      alignRow({cells.begin() + static_cast<std::ptrdiff_t>(first),
                cells.begin() + static_cast<std::ptrdiff_t>(first) + columns});
    if (scales.empty()) return;
    align(scales, QCP::msLeft | QCP::msRight);
    for (QCPLayoutGrid* cell : without) addEmptyScale(*cell, *scales.front());
  }

  void alignRow(const std::vector<QCPLayoutGrid*>& cells) {
    std::vector<QCPAxisRect*> all;
    for (const QCPLayoutGrid* cell : cells) {
      const auto rects = boxesOf(*cell);
      all.insert(all.end(), rects.begin(), rects.end());
    }
    auto* group = new QCPMarginGroup(&m_target);
    for (QCPAxisRect* rect : all) rect->setMarginGroup(QCP::msTop | QCP::msBottom, group);
  }

  // Space of the width of a scale, for rows without one.
  void addEmptyScale(QCPLayoutGrid& cell, const QCPAxisRect& like) {
    auto* empty = new QCPLayoutElement(&m_target);
    cell.addElement(1, 1, empty);
    empty->setSizeConstraintRect(QCPLayoutElement::scrInnerRect);
    empty->setMinimumSize(like.minimumSize().width(), 1);
    empty->setMaximumSize(like.minimumSize().width(), QWIDGETSIZE_MAX);
    empty->setAutoMargins(QCP::msLeft | QCP::msRight);
    empty->setMarginGroup(QCP::msLeft | QCP::msRight, like.marginGroup(QCP::msLeft));
    cell.setColumnStretchFactor(1, kNarrowColumn);
  }

  // Gives heads of a row the same height, so that boxes align; an empty grid row would take space.
  static void alignHeads(const std::vector<QCPLayoutGrid*>& cells, int columns) {
    for (std::size_t first = 0; first < cells.size(); first += static_cast<std::size_t>(columns)) {
      const std::size_t end = std::min(cells.size(), first + static_cast<std::size_t>(columns));
      std::vector<LegendElement*> heads;
      for (std::size_t i = first; i < end; ++i) {
        if (cells[i]->hasElement(0, 0))
          heads.push_back(dynamic_cast<LegendElement*>(cells[i]->element(0, 0)));
        else
          cells[i]->setRowStretchFactor(0, kNothing);
      }
      std::erase(heads, nullptr);
      for (LegendElement* head : heads) head->alignWith(heads);
    }
  }

  // From the top of the boxes in the first row to the bottom of the last.
  void addCommonScale(const ColourScale& scale, QCPLayoutGrid& grid,
                      const std::vector<QCPLayoutGrid*>& cells) {
    QCPAxisRect& bar = addScale(scale, grid, 1, 1, nullptr);
    align({boxesOf(*cells.back()).front(), &bar}, QCP::msBottom);
    QMargins margins = bar.minimumMargins();
    const bool headed = cells.front()->hasElement(0, 0);
    const double head = headed ? QFontMetricsF(m_style.tick).height() + m_style.u(3) + m_style.units(4) : 0;
    margins.setTop(boxesOf(*cells.front()).front()->minimumMargins().top() + static_cast<int>(head));
    bar.setMinimumMargins(margins);
  }

  QCustomPlot& m_target;
  PlotStyle m_style;
  RenderOptions m_options;
  RenderedPlot m_rendered;
};

// Exposes the protected layout and painting of QCustomPlot; margins settle in the second pass, when sizes are
// known, those shared by rows and columns in the fourth.
class OffscreenPlot : public QCustomPlot {
 public:
  void layOut(QSize size, const Plot& plot) {
    setViewport(QRect(QPoint(0, 0), size));
    for (int passes = plot.aligned ? 4 : 2; passes > 0; --passes) updateLayout();
  }
  void paint(QCPPainter& painter, const QColor& ground) {
    painter.fillRect(viewport(), ground);
    draw(&painter);
  }
};

}  // namespace

RenderedPlot renderPlot(QCustomPlot& target, std::shared_ptr<const Plot> plot, const PlotStyle& style,
                        const RenderOptions& options) {
  return PlotBuilder(target, style, options).build(std::move(plot));
}

void paintPlot(QPaintDevice& device, double scale, QSize units, const PlotStyle& style, const Plot& plot) {
  OffscreenPlot target;
  renderPlot(target, std::make_shared<const Plot>(plot), style);
  QCPPainter painter;
  if (!painter.begin(&device)) throw Error(ErrorKind::Internal, "the figure could not be painted");
  painter.scale(scale, scale);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::LosslessImageRendering);
  painter.setMode(QCPPainter::pmVectorized);
  painter.setMode(QCPPainter::pmNoCaching);
  target.layOut(units, plot);
  target.paint(painter, style.colours.view);
  painter.end();
}

// --- For other formats ----------------------------------------------------------------------------------

namespace {

// Distance of the title's outer edge from the box.
double titleDistanceOf(const QCPAxis& axis) {
  const QRectF box = axis.axisRect()->rect(), outer = axis.axisRect()->outerRect();
  switch (axis.axisType()) {
    case QCPAxis::atLeft:
      return box.left() - outer.left();
    case QCPAxis::atRight:
      return outer.right() - box.right();
    case QCPAxis::atTop:
      return box.top() - outer.top();
    case QCPAxis::atBottom:
      return outer.bottom() - box.bottom();
  }
  return 0;
}

LaidOutAxis laidOut(const QCPAxis& axis, const PlotStyle& style) {
  LaidOutAxis taken;
  taken.low = axis.range().lower;
  taken.high = axis.range().upper;
  taken.reversed = axis.rangeReversed();
  taken.slant = axis.tickLabelRotation();
  taken.grid = axis.grid()->visible();
  taken.line = axis.visible() && axis.basePen().style() != Qt::NoPen;
  if (!axis.visible()) return taken;
  taken.ticked = axis.ticks() && axis.tickLengthOut() > 0;
  taken.labelled = axis.ticks() && axis.tickLabels();
  const QVector<double> ticks = axis.tickVector();
  const QVector<QString> labels = axis.tickVectorLabels();
  for (qsizetype i = 0; (taken.ticked || taken.labelled) && i < ticks.size(); ++i) {
    if (!axis.range().contains(ticks[i])) continue;
    taken.ticks.push_back(ticks[i]);
    taken.labels.push_back(i < labels.size() ? labels[i] : QString());
  }
  if (const QString title = titleOf(axis); !title.isEmpty()) {
    const QRect outer = axis.axisRect()->outerRect();
    const double length = axis.orientation() == Qt::Horizontal ? outer.width() : outer.height();
    taken.title = RichText::fittedMarkup(title, style.label, length);
    taken.titleDistance = titleDistanceOf(axis);
  }
  return taken;
}

LaidOutPanel laidOutPanel(const QCPAxisRect& rect, const PlotStyle& style) {
  LaidOutPanel panel;
  panel.box = rect.rect();
  panel.left = laidOut(*rect.axis(QCPAxis::atLeft), style);
  panel.bottom = laidOut(*rect.axis(QCPAxis::atBottom), style);
  panel.right = laidOut(*rect.axis(QCPAxis::atRight), style);
  panel.top = laidOut(*rect.axis(QCPAxis::atTop), style);
  return panel;
}

void addAll(Primitives& all, Primitives more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

}  // namespace

LaidOutPlot layOutPlot(QSize units, const PlotStyle& style, const Plot& plot) {
  OffscreenPlot target;
  const RenderedPlot rendered = renderPlot(target, std::make_shared<const Plot>(plot), style);
  target.layOut(units, plot);
  LaidOutPlot laid;
  laid.units = units;
  for (const RenderedBox& box : rendered.boxes) {
    LaidOutPanel panel = laidOutPanel(*box.rect, style);
    const BoxMap map(*box.rect, style, true, style.imageDpi / (72.0 * style.unit));
    for (const Layer layer : {Layer::Below, Layer::Main, Layer::Above}) {
      for (const Mark& mark : box.box->marks) {
        if (mark.layer == layer) addAll(panel.shapes, shapesOf(mark, map));
      }
    }
    for (const Mark& mark : box.box->marks) {
      for (ItemPlace& place : itemPlaces(mark, map)) {
        QString text = QString::fromStdString(tipOf(*box.box, mark, place.item));
        if (!text.isEmpty()) panel.tips.push_back({std::move(place), std::move(text)});
      }
    }
    laid.panels.push_back(std::move(panel));
  }
  for (const RenderedScale& scale : rendered.scales) {
    laid.panels.push_back(laidOutPanel(*scale.rect, style));
    laid.panels.back().shapes = PlotBuilder::scaleShapes(QRectF(scale.rect->rect()), scale.colours, style);
  }
  for (const LegendElement* legend : rendered.legends) addAll(laid.legends, legend->shapes());
  return laid;
}

}  // namespace plastiscope
