#include "widgets/plots/head_grid_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/figures/figures.h"
#include "widgets/plots/qcp.h"

namespace plastiscope {

namespace {

constexpr double kLeastRow = 12;  // pixels
constexpr double kLeastColumn = 7;
constexpr int kMostOfNote = 300;  // characters in a tip

QString cardHtml(const std::vector<CardLine>& card, HeadName head) {
  QString html = "<b>" + QString::fromStdString(head.text()) + "</b><table cellspacing='0' cellpadding='1'>";
  // Two columns of numbers: everything about a head fits one tip.
  for (std::size_t i = 0; i < card.size(); i += 2) {
    html += "<tr>";
    for (std::size_t k = i; k < std::min(i + 2, card.size()); ++k) {
      html +=
          QStringLiteral("<td>%1&nbsp;</td><td align='right'>%2&nbsp;&nbsp;&nbsp;</td>")
              .arg(QString::fromStdString(card[k].label).toHtmlEscaped(),
                   QString::fromStdString(card[k].value + (card[k].unit == "°" ? "°" : "")).toHtmlEscaped());
    }
    html += "</tr>";
  }
  return html + "</table>";
}

// As spreadsheets show that a cell has a note.
void drawTurnedCorner(QPainter& painter, const QRectF& cell) {
  const double size = std::clamp(0.3 * std::min(cell.width(), cell.height()), 3.0, 5.0);
  const QPointF corner = cell.topRight();
  painter.setPen(pen(Qt::black, 0.8));
  painter.setBrush(Qt::white);
  painter.drawPolygon(QPolygonF({corner, corner - QPointF(size, 0), corner + QPointF(0, size)}));
}

// Over the colour of the cell, which is that of an earlier analysis, or none.
void drawCrossedOut(QPainter& painter, const QRectF& cell) {
  const QRectF inside = cell.adjusted(1.5, 1.5, -1.5, -1.5);
  for (const auto& [colour, width] : {std::pair(QColor(Qt::white), 3.0), {QColor("#c62828"), 1.5}}) {
    painter.setPen(pen(colour, width));
    painter.drawLine(inside.topLeft(), inside.bottomRight());
    painter.drawLine(inside.topRight(), inside.bottomLeft());
  }
}

QString noteHtml(const std::string& note) {
  return QStringLiteral("<hr><i>%1</i>")
      .arg(QString::fromStdString(note)
               .left(kMostOfNote)
               .toHtmlEscaped()
               .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

}  // namespace

struct HeadGridView::Private {
  std::shared_ptr<const HeadGridData> data;
  std::optional<HeadName> selected, hovered;
  std::set<HeadName> starred;
  std::map<HeadName, std::string> notes, damaged;
  std::optional<std::set<HeadName>> filter;
  HeadGridOptions options;
  QScrollBar *down = nullptr, *across = nullptr;
  bool follow = false;  // bring the selected head into view at the next layout

  const QCPAxisRect& rect(QCustomPlot& plot) const { return *plot.axisRect(0); }

  QRectF box(QCustomPlot& plot, HeadName name) const {
    const HeadGridPlaces places(*data);
    const double h = places.ofHead(name.head), l = static_cast<double>(name.layer);
    const double cx = options.transposed ? l : h, cy = options.transposed ? h : l;
    const QCPAxis &x = *rect(plot).axis(QCPAxis::atBottom), &y = *rect(plot).axis(QCPAxis::atLeft);
    return {QPointF(std::round(x.coordToPixel(cx - 0.5)), std::round(y.coordToPixel(cy - 0.5))),
            QPointF(std::round(x.coordToPixel(cx + 0.5)), std::round(y.coordToPixel(cy + 0.5)))};
  }

  std::optional<HeadName> headAt(QCustomPlot& plot, const QPointF& position) const {
    if (data == nullptr || plot.axisRectCount() == 0 || !rect(plot).rect().contains(position.toPoint()))
      return {};
    const HeadGridPlaces places(*data);
    const double x = rect(plot).axis(QCPAxis::atBottom)->pixelToCoord(position.x());
    const double y = rect(plot).axis(QCPAxis::atLeft)->pixelToCoord(position.y());
    const auto head = places.headAt(options.transposed ? y : x),
               layer = places.layerAt(options.transposed ? x : y);
    if (!head || !layer) return {};
    return HeadName{*layer, *head};
  }

  bool captured(HeadName name) const { return data->at(name.layer, name.head).captured; }
};

HeadGridView::HeadGridView(QWidget* parent) : PlotView(parent), d(std::make_unique<Private>()) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Head grid"));
  setMessage(tr("No analysis yet"));
  for (const auto orientation : {Qt::Vertical, Qt::Horizontal}) {
    auto* bar = new QScrollBar(orientation, this);
    bar->hide();
    connect(bar, &QScrollBar::valueChanged, this, [this] { plot().replot(QCustomPlot::rpQueuedReplot); });
    if (orientation == Qt::Vertical)
      grid().addWidget(bar, 0, 1);
    else
      grid().addWidget(bar, 1, 0);
    (orientation == Qt::Vertical ? d->down : d->across) = bar;
  }
}

HeadGridView::~HeadGridView() = default;

void HeadGridView::setData(std::shared_ptr<const HeadGridData> content) {
  d->data = std::move(content);
  d->follow = true;
  setMessage(d->data == nullptr ? tr("No analysis yet") : QString());
  rebuild();
}

void HeadGridView::setSelectedHead(std::optional<HeadName> head) {
  d->selected = head;
  d->follow = true;
  if (d->down->maximum() > 0 || d->across->maximum() > 0)
    plot().replot(QCustomPlot::rpQueuedReplot);
  else
    replotOverlay();
}

std::optional<HeadName> HeadGridView::selectedHead() const {
  return d->selected;
}

void HeadGridView::setStarred(const std::set<HeadName>& heads) {
  d->starred = heads;
  replotOverlay();
}

void HeadGridView::setNotes(const std::map<HeadName, std::string>& notes) {
  d->notes = notes;
  replotOverlay();
}

void HeadGridView::setDamaged(const std::map<HeadName, std::string>& heads) {
  d->damaged = heads;
  replotOverlay();
}

void HeadGridView::setFilter(std::optional<std::set<HeadName>> heads) {
  d->filter = std::move(heads);
  replotOverlay();
}

void HeadGridView::setRange(std::optional<std::pair<double, double>> range) {
  if (range == d->options.range) return;
  d->options.range = range;
  rebuild();
}

void HeadGridView::setTransposed(bool transposed) {
  d->options.transposed = transposed;
  rebuild();
}

std::optional<Plot> HeadGridView::makePlot() const {
  if (d->data == nullptr) return std::nullopt;
  return headGridPlot(*d->data, d->options);
}

void HeadGridView::paintOverlay(QPainter& painter) const {
  const PlotStyle& style = plotStyle();
  if (d->filter) {
    QColor veil = style.colours.view;
    veil.setAlphaF(0.78F);
    for (std::int64_t layer = 0; layer < d->data->layers; ++layer) {
      for (std::int64_t head = 0; head < d->data->heads; ++head) {
        const HeadName name{layer, head};
        if (d->captured(name) && !d->filter->contains(name)) painter.fillRect(d->box(plot(), name), veil);
      }
    }
  }
  for (const HeadName& head : d->starred) {
    const QRectF cell = d->box(plot(), head);
    const double size = std::clamp(0.22 * std::min(cell.width(), cell.height()), 2.0, 3.5);
    painter.setPen(pen(Qt::black, 1));
    painter.setBrush(Qt::white);
    painter.drawEllipse(QPointF(cell.right() - 2 - 1.6 * size, cell.center().y()), size, size);
  }
  for (const auto& [head, note] : d->notes) drawTurnedCorner(painter, d->box(plot(), head));
  for (const auto& [head, problem] : d->damaged) {
    if (head.layer < d->data->layers && head.head < d->data->heads)
      drawCrossedOut(painter, d->box(plot(), head));
  }
  painter.setBrush(Qt::NoBrush);
  const auto frame = [&](HeadName name, double width) {
    // Drawn within the grid: it would be cut at the first and the last column and row.
    const double half = 0.5 * (width + 2);
    const QRectF inside = QRectF(d->rect(plot()).rect()).adjusted(half, half, -half, -half);
    const QRectF cell = d->box(plot(), name).adjusted(-0.5, -0.5, -0.5, -0.5).intersected(inside);
    if (cell.isEmpty()) return;  // scrolled away
    painter.setPen(pen(QColor("#101214"), width + 2));
    painter.drawRect(cell);
    painter.setPen(pen(style.colours.selection, width));
    painter.drawRect(cell);
  };
  if (d->hovered && d->hovered != d->selected) frame(*d->hovered, 1);
  if (d->selected) frame(*d->selected, 2);
}

// Rows of at least 12 pixels: when there is no room for all, the axes show a part and scroll bars move it.
bool HeadGridView::laidOut() {
  if (d->data == nullptr || plot().axisRectCount() == 0) return false;
  const QCPAxisRect& rect = d->rect(plot());
  const HeadGridPlaces places(*d->data);
  const bool follow = std::exchange(d->follow, false) && d->selected.has_value();
  const auto arrange = [follow](QScrollBar& bar, QCPAxis& axis, double total, double length, double least,
                                double chosen) {
    const double visible = std::min(total, std::max(1.0, std::floor(length / least)));
    const bool needed = visible < total - 1e-6;
    const QSignalBlocker quiet(bar);
    bar.setRange(0, needed ? static_cast<int>(std::ceil(total - visible)) : 0);
    bar.setPageStep(std::max(1, static_cast<int>(visible)));
    if (follow && needed && chosen < bar.value()) bar.setValue(static_cast<int>(std::floor(chosen)));
    if (follow && needed && chosen + 1 > bar.value() + visible) {
      bar.setValue(static_cast<int>(std::ceil(chosen + 1 - visible)));
    }
    const double first = needed ? std::min<double>(bar.value(), total - visible) : 0;
    axis.setRange(first - 0.5, first - 0.5 + visible);
    // Not while the plot lays itself out.
    if (bar.isHidden() == needed)
      QMetaObject::invokeMethod(
          &bar, [&bar, needed] { bar.setVisible(needed); }, Qt::QueuedConnection);
  };
  const bool t = d->options.transposed;
  const double headsTotal = headGridExtent(*d->data) + 0.5,
               layersTotal = static_cast<double>(d->data->layers);
  const double headPlace = d->selected ? places.ofHead(d->selected->head) : 0;
  const double layerPlace = d->selected ? static_cast<double>(d->selected->layer) : 0;
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  const QCPRange oldX = x.range(), oldY = y.range();
  arrange(*d->down, y, t ? headsTotal : layersTotal, rect.height(), kLeastRow, t ? headPlace : layerPlace);
  arrange(*d->across, x, t ? layersTotal : headsTotal, rect.width(), kLeastColumn,
          t ? layerPlace : headPlace);
  rect.axis(QCPAxis::atTop)->setRange(x.range());
  return x.range() != oldX || y.range() != oldY;
}

void HeadGridView::hovered(const QPointF& position, const QPoint& global) {
  const auto head = d->headAt(plot(), position);
  if (head == d->hovered) return;
  d->hovered = head;
  replotOverlay();
  if (!head) return showTip({}, global);
  const auto damage = d->damaged.find(*head);
  const QString problem =
      damage == d->damaged.end() ? QString() : QString::fromStdString(damage->second).toHtmlEscaped();
  if (!d->captured(*head)) {
    showTip("<b>" + QString::fromStdString(head->text()) + "</b><br>" +
                (problem.isEmpty() ? tr("not captured") : tr("damaged: %1").arg(problem)),
            global);
    return;
  }
  const auto note = d->notes.find(*head);
  if (d->data->source != nullptr)
    showTip(cardHtml(headCard(*d->data->source, *head), *head) +
                (note == d->notes.end() ? QString() : noteHtml(note->second)) +
                (problem.isEmpty() ? QString() : tr("<hr>Damaged: %1").arg(problem)),
            global);
  Q_EMIT headHovered(*head);
}

void HeadGridView::clicked(const QPointF& position) {
  const auto head = d->headAt(plot(), position);
  if (head && d->captured(*head)) activate(*head);
}

void HeadGridView::activate(HeadName head) {
  setSelectedHead(head);
  Q_EMIT headActivated(head);
}

// Arrow keys walk to the next captured head in their direction, Home and End to the first and last one.
void HeadGridView::keyPressEvent(QKeyEvent* event) {
  struct Step {
    int key, layers, heads;
  };
  static constexpr Step kSteps[] = {
      {Qt::Key_Left, 0, -1}, {Qt::Key_Right, 0, 1}, {Qt::Key_Up, -1, 0}, {Qt::Key_Down, 1, 0}};
  if (d->data == nullptr) return PlotView::keyPressEvent(event);
  const auto search = [this](HeadName from, std::int64_t layers,
                             std::int64_t heads) -> std::optional<HeadName> {
    for (HeadName at = from;
         at.layer >= 0 && at.layer < d->data->layers && at.head >= 0 && at.head < d->data->heads;
         at.layer += layers, at.head += heads) {
      if (at != from && d->captured(at)) return at;
    }
    return {};
  };
  const auto edge = [this](bool last) -> std::optional<HeadName> {
    const std::int64_t count = d->data->layers * d->data->heads;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = last ? count - 1 - i : i;
      const HeadName name{at / d->data->heads, at % d->data->heads};
      if (d->captured(name)) return name;
    }
    return {};
  };
  std::optional<HeadName> next;
  if (event->key() == Qt::Key_Home || event->key() == Qt::Key_End || !d->selected)
    next = edge(event->key() == Qt::Key_End);
  bool known = event->key() == Qt::Key_Home || event->key() == Qt::Key_End;
  for (const Step& step : kSteps) {
    if (event->key() != step.key) continue;
    known = true;
    const bool t = d->options.transposed;
    if (d->selected) next = search(*d->selected, t ? step.heads : step.layers, t ? step.layers : step.heads);
  }
  if (!known) return PlotView::keyPressEvent(event);
  if (next) activate(*next);
}

void HeadGridView::wheelEvent(QWheelEvent* event) {
  QScrollBar& bar =
      event->modifiers().testFlag(Qt::ShiftModifier) || d->down->maximum() == 0 ? *d->across : *d->down;
  if (bar.maximum() == 0) return PlotView::wheelEvent(event);
  bar.setValue(bar.value() - (event->angleDelta().y() + event->angleDelta().x()) / 40);
  event->accept();
}

}  // namespace plastiscope

#include "moc_head_grid_view.cpp"
