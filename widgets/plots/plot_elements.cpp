#include "widgets/plots/plot_elements.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/plots/primitives.h"

namespace plastiscope {

namespace {

constexpr const char* kTitle = "plastiscopeTitle";
constexpr const char* kWrapped = "wrappedLegend";  // name of the top legend
constexpr double kNarrowSymbol = 1.3;              // in font heights, for legends in narrow panels

}  // namespace

CustomLayer::CustomLayer(QCPAxisRect& rect, const QString& layer, bool clip, Paint paint)
    : QCPLayerable(rect.parentPlot(), layer), m_rect(&rect), m_clip(clip), m_paint(std::move(paint)) {}

QRect CustomLayer::clipRect() const {
  return m_clip ? m_rect->rect() : mParentPlot->viewport();
}

void CustomLayer::applyDefaultAntialiasingHint(QCPPainter* painter) const {
  painter->setAntialiasing(true);
}

void clearPlot(QCustomPlot& plot, const PlotStyle& style) {
  plot.clearPlottables();
  plot.clearItems();
  for (int i = 0; i < plot.layerCount(); ++i) {
    const QList<QCPLayerable*> children = plot.layer(i)->children();
    for (QCPLayerable* child : children) {
      if (auto* custom = dynamic_cast<CustomLayer*>(child)) delete custom;
    }
  }
  plot.plotLayout()->clear();
  plot.plotLayout()->simplify();
  qDeleteAll(plot.findChildren<QCPMarginGroup*>(QString(), Qt::FindDirectChildrenOnly));
  plot.plotLayout()->setRowSpacing(style.units(4));
  plot.plotLayout()->setColumnSpacing(style.units(4));
  if (plot.layer("marks") == nullptr) plot.addLayer("marks", plot.layer("axes"), QCustomPlot::limAbove);
  plot.layer("overlay")->setMode(QCPLayer::lmBuffered);
  plot.setBackground(QBrush(style.colours.view));
}

bool isVector(const QCPPainter& painter) {
  return painter.modes().testFlag(QCPPainter::pmVectorized);
}

// --- Axes -----------------------------------------------------------------------------------------------

void styleAxis(QCPAxis& axis, const PlotStyle& style) {
  const QPen line = pen(style.print ? style.colours.text : style.colours.muted, style.axisWidth);
  axis.setBasePen(line);
  axis.setTickPen(line);
  axis.setSubTicks(false);
  axis.setTickLength(0, static_cast<int>(std::lround(style.tickLength)));
  axis.setTickLabelFont(style.tick);
  axis.setTickLabelColor(style.print ? style.colours.text : style.colours.muted);
  axis.setTickLabelPadding(style.units(style.print ? 1.5 : 3));
  axis.setLabelFont(style.label);
  axis.setLabelPadding(style.print ? 0 : style.units(2));
  axis.setPadding(style.units(1));
  axis.setOffset(0);
  axis.grid()->setZeroLinePen(Qt::NoPen);
  axis.grid()->setPen(pen(style.colours.grid, style.gridWidth));
}

void titleAxis(QCPAxis& axis, const QString& richTitle, const PlotStyle& style) {
  if (richTitle.isEmpty()) return;
  axis.setLabel(QStringLiteral(" "));
  axis.setProperty(kTitle, richTitle);
  QCPAxisRect& rect = *axis.axisRect();
  new CustomLayer(rect, "axes", false, [&rect, &axis, style](QCPPainter& painter) {
    const QString shown = titleOf(axis);
    if (shown.isEmpty()) return;
    const QRect inner = rect.rect(), outer = rect.outerRect();
    const bool horizontal = axis.orientation() == Qt::Horizontal;
    // A title may be longer than its axis: the legend's height and the other axis' labels give it space.
    const QRect whole = rect.parentPlot()->viewport();
    // Titles with a short form use it (in files only if it is equivalent); others extend beside the legend if
    // no panel is above, and the legend does not begin at the edge.
    QCPLayoutGrid& grid = *rect.parentPlot()->plotLayout();
    const bool besideLegend =
        !grid.hasElement(0, 0) || grid.element(0, 0)->objectName() != QLatin1String(kWrapped);
    const bool alone = !horizontal && besideLegend && rect.layout() == rect.parentPlot()->plotLayout() &&
                       !shown.contains(QStringLiteral(" \u00b7 ")) &&
                       (style.print || !shown.contains(QLatin1Char('|'))) &&
                       whole.height() < 2 * outer.height();
    // The corner is left to the other title if this one has optional parts.
    const bool shares = horizontal && shown.contains(QStringLiteral(" \u00b7 ")) &&
                        !titleOf(*rect.axis(QCPAxis::atLeft)).isEmpty();
    const double corner = shares ? QFontMetricsF(style.label).height() : 0;
    const double low = horizontal ? outer.left() + corner : alone ? whole.top() : outer.top();
    const double room = horizontal ? outer.width() - style.u(style.print ? 4 : 0) - corner
                        : alone    ? outer.bottom() - whole.top()
                                   : outer.height();
    const RichText text = RichText::fitted(shown, style.label, room);
    const double w = text.size().width(), h = text.size().height();
    double middle = horizontal ? inner.left() + inner.width() / 2.0 : inner.top() + inner.height() / 2.0;
    middle = std::clamp(middle, low + w / 2, std::max(low + w / 2, low + room - w / 2));
    painter.setPen(style.colours.text);
    painter.save();
    switch (axis.axisType()) {
      case QCPAxis::atLeft:
        painter.translate(outer.left(), middle + w / 2);
        painter.rotate(-90);
        break;
      case QCPAxis::atRight:
        painter.translate(outer.right() - h, middle + w / 2);
        painter.rotate(-90);
        break;
      case QCPAxis::atTop:
        painter.translate(middle - w / 2, outer.top());
        break;
      case QCPAxis::atBottom:
        painter.translate(middle - w / 2, outer.bottom() - h);
        break;
    }
    text.draw(painter, {0, 0});
    painter.restore();
  });
}

QString titleOf(const QCPAxis& axis) {
  return axis.property(kTitle).toString();
}

// --- Legends --------------------------------------------------------------------------------------------

LegendElement::LegendElement(QCustomPlot& plot, const PlotStyle& style, std::vector<LegendEntry> entries,
                             double share, QCPAxisRect* oneLineAbove)
    : QCPLayoutElement(&plot),
      m_style(style),
      m_entries(std::move(entries)),
      m_share(share),
      m_above(oneLineAbove) {
  setLayer("axes");
  if (m_above == nullptr) setObjectName(QLatin1String(kWrapped));
  setMargins(QMargins(0, m_style.units(1), 0, 0));
  for (const LegendEntry& entry : m_entries) {
    m_texts.push_back(QString::fromStdString(entry.text + entry.detail));
    const auto width = [&](const QString& text) {
      return symbolWidth(entry) + RichText(text, m_style.tick).size().width();
    };
    m_widths.push_back(width(m_texts.back()));
    m_briefWidths.push_back(entry.detail.empty() ? m_widths.back()
                                                 : width(QString::fromStdString(entry.text)));
  }
}

double LegendElement::symbolWidth(const LegendEntry& entry) const {
  return entry.symbol.width > 0 ? (entry.symbol.width + 0.5) * em() : 0;
}

// First entry of each line; the width is known before the layout: a share of that of the plot.
std::vector<std::size_t> LegendElement::lineStarts(const std::vector<double>& widths) const {
  const double room = m_share * mParentPlot->viewport().width() - m_style.u(m_style.print ? 6 : 12);
  std::vector<std::size_t> starts;
  double used = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (starts.empty() || m_entries[i].beginsLine || used + widths[i] > room) {
      starts.push_back(i);
      used = 0;
    }
    used += widths[i] + 1.4 * em();
  }
  return starts;
}

int LegendElement::height() const {
  int height = ownHeight();
  for (const LegendElement* other : m_row) height = std::max(height, other->ownHeight());
  return height;
}

double LegendElement::heightOf(std::size_t lines) const {
  const double line = QFontMetricsF(m_style.tick).height();
  return static_cast<double>(std::max<std::size_t>(1, lines)) * (line + m_style.u(1)) + m_style.u(2);
}

bool LegendElement::isBrief() const {
  constexpr double kMaxOfPlot = 0.3;
  return m_above == nullptr && !m_style.print &&
         heightOf(lineStarts(m_widths).size()) > kMaxOfPlot * mParentPlot->viewport().height();
}

int LegendElement::ownHeight() const {
  if (m_above != nullptr) return static_cast<int>(QFontMetricsF(m_style.tick).height() + m_style.u(3));
  return static_cast<int>(std::ceil(heightOf(lineStarts(widths()).size())));
}

std::vector<LegendElement::Placed> LegendElement::placed() const {
  std::vector<Placed> all;
  const std::vector<double>& widths = this->widths();
  const double spacing = 1.4 * em(), line = QFontMetricsF(m_style.tick).height();
  const auto row = [&](std::size_t first, std::size_t end, double left, double top) {
    for (std::size_t i = first; i < end; left += widths[i++] + spacing) all.push_back({i, {left, top}});
  };
  if (m_above == nullptr) {
    const std::vector<std::size_t> starts = lineStarts(widths);
    double top = mRect.top();
    for (std::size_t i = 0; i < starts.size(); ++i, top += line + m_style.u(1))
      row(starts[i], i + 1 < starts.size() ? starts[i + 1] : m_entries.size(), mRect.left() + m_style.u(4),
          top);
    return all;
  }
  const auto fitting = [&](double room) {
    double used = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      used += widths[i];
      if (used > room + 1) return i;
      used += spacing;
    }
    return widths.size();
  };
  double left = m_above->left();
  // Includes the scale and boxes to the right of the box.
  const double right =
      std::max<double>({m_above->right() + 0.0, mRect.right() + 0.0, rightEnd() - m_style.u(4)});
  std::size_t shown = fitting(right - left);
  if (shown < widths.size()) {  // the space above the axis labels is available too
    left = m_style.print ? std::max<double>(mOuterRect.left(), 2) : mOuterRect.left() + m_style.u(4);
    shown = fitting(right - left);
  }
  row(0, shown, left, mRect.top() + (mRect.height() - line) / 2.0);
  return all;
}

Primitives LegendElement::shapes() const {
  Primitives shapes;
  const bool brief = isBrief();
  const std::vector<double>& widths = this->widths();
  const double line = QFontMetricsF(m_style.tick).height();
  for (const auto& [i, at] : placed()) {
    const LegendEntry& entry = m_entries[i];
    const bool narrow = m_above == nullptr && at.x() + widths[i] > rightEnd();
    const double symbolEms = narrow ? std::min(entry.symbol.width, kNarrowSymbol) : entry.symbol.width;
    const QRectF place(at.x(), at.y() + 0.12 * line, symbolEms * em(), 0.76 * line);
    Primitives symbol = symbolShapes(entry.symbol, place, m_style);
    std::move(symbol.begin(), symbol.end(), std::back_inserter(shapes));
    if (m_texts[i].isEmpty()) continue;
    const QPointF begin = at + QPointF(symbolEms > 0 ? (symbolEms + 0.5) * em() : 0, 0);
    shapes.push_back(narrow ? narrowText(entry, begin)
                            : textShape(brief ? QString::fromStdString(entry.text) : m_texts[i], m_style.tick,
                                        m_style.colours.text, begin));
  }
  return shapes;
}

double LegendElement::rightEnd() const {
  return mRect.left() + m_share * mParentPlot->viewport().width();
}

Primitive LegendElement::narrowText(const LegendEntry& entry, QPointF at) const {
  constexpr double kSmallest = 0.75;  // share of the font size
  const double room = rightEnd() - at.x();
  const auto width = [](const QString& text, const QFont& font) {
    return RichText(text, font).size().width();
  };
  QString text = QString::fromStdString(entry.text);
  QFont font = m_style.tick;
  const double share = std::clamp(room / std::max(1.0, width(text, font)), kSmallest, 1.0);
  font.setPixelSize(std::max(1, static_cast<int>(share * font.pixelSize())));
  if (width(text, font) > room && !text.contains(QLatin1Char('<')))
    text = QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, room);
  return textShape(text, font, m_style.colours.text, at);
}

const LegendEntry* LegendElement::entryAt(QPointF place) const {
  const double line = QFontMetricsF(m_style.tick).height();
  for (const auto& [i, at] : placed()) {
    if (QRectF(at, QSizeF(widths()[i], line)).contains(place)) return &m_entries[i];
  }
  return nullptr;
}

void LegendElement::draw(QCPPainter* painter) {
  paintShapes(*painter, shapes());
}

// --- Panels ---------------------------------------------------------------------------------------------

std::vector<QCPAxisRect*> boxesOf(const QCPLayoutGrid& panel) {
  std::vector<QCPAxisRect*> boxes;
  for (QCPLayoutElement* element : panel.elements(true)) {
    if (auto* box = dynamic_cast<QCPAxisRect*>(element)) boxes.push_back(box);
  }
  return boxes;
}

QCPLayoutGrid& EqualPanels::addPanel(int row, int column) {
  auto* panel = new QCPLayoutGrid;
  addElement(row, column, panel);
  return *panel;
}

QCPLayoutGrid& FreePanels::addPanel() {
  auto* panel = new QCPLayoutGrid;
  addElement(panel, QRectF());
  return *panel;
}

// Insets are parts of the width and of the height.
void FreePanels::updateLayout() {
  const double rise = mRect.height() > 0 ? mRect.width() / double(mRect.height()) : 1;
  for (int i = 0; i < elementCount(); ++i) {
    const PanelPlace& place = m_places[static_cast<std::size_t>(i)];
    setInsetRect(i, {place.x, place.y * rise, place.width, place.height * rise});
  }
  QCPLayoutInset::updateLayout();
}

namespace {

// Sizes each row or column to its surroundings of the boxes and divides the rest by `shares`.
void stretch(std::vector<double>& around, double whole, double spacing, std::vector<double> shares) {
  shares.resize(around.size(), 1);
  double left = whole - spacing * static_cast<double>(around.size() - 1), all = 0;
  for (const double size : around) left -= size;
  for (const double share : shares) all += share;
  for (std::size_t i = 0; i < around.size(); ++i)
    around[i] = std::max(1.0, around[i] + left * shares[i] / all);
}

}  // namespace

// Sizes each row and column to the surroundings of its boxes and divides the rest. Margins are unknown in the
// first pass.
void EqualPanels::updateLayout() {
  if (m_unlike) return QCPLayoutGrid::updateLayout();
  std::vector<double> widths(static_cast<std::size_t>(columnCount()), 0),
      heights(static_cast<std::size_t>(rowCount()), 0);
  bool known = true;
  for (int i = 0; i < elementCount(); ++i) {
    const auto* panel = dynamic_cast<const QCPLayoutGrid*>(elementAt(i));
    if (panel == nullptr) continue;
    const QSize outer = panel->outerRect().size(), inner = boxesOf(*panel).front()->rect().size();
    known = known && outer.width() > inner.width() && inner.width() > 0 && outer.height() > inner.height();
    int row = 0, column = 0;
    indexToRowCol(i, row, column);
    double &width = widths[static_cast<std::size_t>(column)],
           &height = heights[static_cast<std::size_t>(row)];
    width = std::max<double>(width, outer.width() - inner.width());
    height = std::max<double>(height, outer.height() - inner.height());
  }
  if (known) {
    stretch(widths, mRect.width(), columnSpacing(), {});
    stretch(heights, mRect.height(), rowSpacing(), m_heights);
    setColumnStretchFactors(QList<double>(widths.begin(), widths.end()));
    setRowStretchFactors(QList<double>(heights.begin(), heights.end()));
  }
  QCPLayoutGrid::updateLayout();
}

}  // namespace plastiscope
