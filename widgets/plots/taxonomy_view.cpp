#include "widgets/plots/taxonomy_view.h"

#include <cmath>

#include "widgets/plots/painted_layer.h"
#include "widgets/plots/panel.h"
#include "widgets/plots/taxonomy_figure.h"

namespace plastiscope {

namespace {

QPointF pixelOf(const QCPAxisRect& rect, const QPointF& at) {
  return {rect.axis(QCPAxis::atBottom)->coordToPixel(at.x()),
          rect.axis(QCPAxis::atLeft)->coordToPixel(at.y())};
}

// The index of the nearest place within 10 pixels.
std::optional<std::size_t> nearest(QCustomPlot& plot, const std::vector<QPointF>& places,
                                   const QPointF& position) {
  if (plot.axisRectCount() == 0 || !plot.axisRect(0)->rect().contains(position.toPoint())) return {};
  std::optional<std::size_t> best;
  double least = 100;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const QPointF gap = pixelOf(*plot.axisRect(0), places[i]) - position;
    const double distance = QPointF::dotProduct(gap, gap);
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

void drawRing(QCPPainter& painter, const QCPAxisRect& rect, const QPointF& place, const PlotStyle& style) {
  const QPointF at = pixelOf(rect, place);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(pen(QColor("#101214"), 4));
  painter.drawEllipse(at, 5.5, 5.5);
  painter.setPen(pen(style.colours.selection, 2));
  painter.drawEllipse(at, 5.5, 5.5);
}

}  // namespace

struct TaxonomyView::Private {
  std::shared_ptr<const TaxonomyData> data;
  std::vector<QPointF> places;
  std::optional<HeadName> selected;
};

TaxonomyView::TaxonomyView(QWidget* parent) : PlotView(parent), d(std::make_unique<Private>()) {
  setAccessibleName(tr("Taxonomy of heads"));
  setMessage(tr("No analysis yet"));
}

TaxonomyView::~TaxonomyView() = default;

void TaxonomyView::setData(std::shared_ptr<const TaxonomyData> content) {
  d->data = std::move(content);
  d->places.clear();
  setMessage(d->data == nullptr ? tr("No analysis yet") : QString());
  if (d->data != nullptr) {
    for (const TaxonomyPoint& point : d->data->points) d->places.emplace_back(point.rQuery, point.rKey);
  }
  rebuild();
}

void TaxonomyView::setSelectedHead(std::optional<HeadName> head) {
  d->selected = head;
  replotOverlay();
}

void TaxonomyView::build(QCustomPlot& plot) {
  if (d->data == nullptr) return;
  buildTaxonomy(plot, *d->data, plotStyle());
  QCPAxisRect& rect = *plot.axisRect(0);
  new PaintedLayer(rect, "overlay", Clip::AxisRect, [this, &rect](QCPPainter& painter) {
    for (std::size_t i = 0; i < d->places.size(); ++i) {
      if (d->data->points[i].head == d->selected) drawRing(painter, rect, d->places[i], plotStyle());
    }
  });
}

void TaxonomyView::hovered(const QPointF& position, const QPoint& global) {
  const auto index = nearest(plot(), d->places, position);
  if (!index) return showTip({}, global);
  const TaxonomyPoint& point = d->data->points[*index];
  showTip(QStringLiteral("<b>%1</b> · %2<br><i>r</i><sub>Q</sub> %3 &nbsp; <i>r</i><sub>K</sub> %4")
              .arg(QString::fromStdString(point.head.text()),
                   QString::fromStdString(d->data->classes[point.classIndex].title))
              .arg(numberLabel(point.rQuery, 3), numberLabel(point.rKey, 3)),
          global);
  Q_EMIT headHovered(point.head);
}

void TaxonomyView::clicked(const QPointF& position) {
  if (const auto index = nearest(plot(), d->places, position)) {
    setSelectedHead(d->data->points[*index].head);
    Q_EMIT headActivated(d->data->points[*index].head);
  }
}

struct DepthView::Private {
  std::shared_ptr<const DepthData> data;
  std::vector<QPointF> places;
  std::optional<HeadName> selected;
};

DepthView::DepthView(QWidget* parent) : PlotView(parent), d(std::make_unique<Private>()) {
  setAccessibleName(tr("Metric by layer"));
  setMessage(tr("No analysis yet"));
}

DepthView::~DepthView() = default;

void DepthView::setData(std::shared_ptr<const DepthData> content) {
  d->data = std::move(content);
  d->places.clear();
  setMessage(d->data == nullptr ? tr("No analysis yet") : QString());
  if (d->data != nullptr) {
    for (std::size_t i = 0; i < d->data->heads.size(); ++i) {
      d->places.emplace_back(static_cast<double>(d->data->heads[i].layer), d->data->values[i]);
    }
  }
  rebuild();
}

void DepthView::setSelectedHead(std::optional<HeadName> head) {
  d->selected = head;
  replotOverlay();
}

void DepthView::build(QCustomPlot& plot) {
  if (d->data == nullptr) return;
  buildDepth(plot, *d->data, plotStyle());
  QCPAxisRect& rect = *plot.axisRect(0);
  new PaintedLayer(rect, "overlay", Clip::AxisRect, [this, &rect](QCPPainter& painter) {
    for (std::size_t i = 0; i < d->places.size(); ++i) {
      if (d->data->heads[i] == d->selected) drawRing(painter, rect, d->places[i], plotStyle());
    }
  });
}

void DepthView::hovered(const QPointF& position, const QPoint& global) {
  const auto index = nearest(plot(), d->places, position);
  if (!index) return showTip({}, global);
  showTip(QStringLiteral("<b>%1</b><br>%2 %3")
              .arg(QString::fromStdString(d->data->heads[*index].text()),
                   QString::fromStdString(d->data->metric.label),
                   QString::fromStdString(metricText(d->data->values[*index]))),
          global);
}

void DepthView::clicked(const QPointF& position) {
  if (const auto index = nearest(plot(), d->places, position)) {
    setSelectedHead(d->data->heads[*index]);
    Q_EMIT headActivated(d->data->heads[*index]);
  }
}

}  // namespace plastiscope
