#include "widgets/plots/profile_view.h"

#include <cmath>
#include <set>

#include "core/views/empty_views.h"
#include "core/views/metric_info.h"
#include "widgets/plots/painted_layer.h"
#include "widgets/plots/panel.h"
#include "widgets/plots/profile_parts.h"

namespace plastiscope {

namespace {

// " (0.312 … 0.405)", the 95 % interval of a bin; "" without one.
QString intervalText(const std::vector<double>& low, const std::vector<double>& high, std::size_t index) {
  if (low.empty() || !std::isfinite(low[index]) || !std::isfinite(high[index])) return {};
  return QStringLiteral(" (%1 … %2)")
      .arg(QString::fromStdString(fixedText(low[index], 3)),
           QString::fromStdString(fixedText(high[index], 3)));
}

// One tick a pixel is enough for any number of rows.
void drawTicks(QCPPainter& painter, const QCPAxisRect& rect, const std::vector<double>& positions,
               const PlotStyle& style) {
  std::set<int> pixels;
  for (const double position : positions) {
    const int at = qRound(rect.axis(QCPAxis::atBottom)->coordToPixel(position));
    if (at >= rect.left() && at <= rect.right()) pixels.insert(at);
  }
  for (const QPen& line :
       {casedPen(style, pen(style.colours.selection, 1)), pen(style.colours.selection, 1)}) {
    painter.setPen(line);
    for (const int at : pixels)
      painter.drawLine(QLineF(at + 0.5, rect.bottom() - style.u(7), at + 0.5, rect.bottom()));
  }
}

}  // namespace

struct ProfileView::Private {
  std::shared_ptr<const ProfileData> data;
  std::optional<double> cursor, hovered;
  std::vector<double> selected;
  std::shared_ptr<HeadLineCache> lines = std::make_shared<HeadLineCache>();
  std::shared_ptr<const PublishedProfile> published;
  bool intervals = true;
  std::optional<PositionAxis> axis;

  ProfileOptions options() const {
    return {ProfileParts::Both, std::nullopt, lines, published, intervals, axis};
  }
};

ProfileView::ProfileView(QWidget* parent) : PlotView(parent), d(std::make_unique<Private>()) {
  setAccessibleName(tr("Profile and quintiles"));
  setMessage(tr("No analysis yet"));
}

ProfileView::~ProfileView() = default;

void ProfileView::setData(std::shared_ptr<const ProfileData> content) {
  d->data = std::move(content);
  d->hovered.reset();
  setMessage(d->data == nullptr ? tr("No analysis yet")
                                : QString::fromStdString(whyNoProfile(*d->data->field)));
  rebuild();
}

void ProfileView::setPublished(std::shared_ptr<const PublishedProfile> published) {
  d->published = std::move(published);
  rebuild();
}

void ProfileView::setSelectedPositions(std::vector<double> positions) {
  d->selected = std::move(positions);
  replotOverlay();
}

void ProfileView::setIntervalsShown(bool shown) {
  d->intervals = shown;
  rebuild();
}

void ProfileView::setPositionAxis(std::optional<PositionAxis> axis) {
  d->axis = axis;
  rebuild();
}

PositionAxis ProfileView::positionAxis() const {
  return d->data ? positionAxisOf(*d->data, d->options()) : d->axis.value_or(PositionAxis::Tokens);
}

void ProfileView::setCursor(std::optional<double> position) {
  d->cursor = position;
  replotOverlay();
}

std::optional<ViewRange> ProfileView::wholeRange() const {
  if (d->data == nullptr || d->data->field->bins() == 0) return {};
  return ViewRange{0, profileEnd(*d->data, d->options()), 0, 1};
}

void ProfileView::build(QCustomPlot& plot) {
  if (d->data == nullptr || d->data->field->bins() == 0) return;
  buildProfile(plot, *d->data, plotStyle(), d->options());
  QCPAxisRect& rect = *plot.axisRect(0);
  new PaintedLayer(rect, "overlay", Clip::AxisRect, [this, &rect](QCPPainter& painter) {
    const QCPAxis& x = *rect.axis(QCPAxis::atBottom);
    const ProfileField& field = *d->data->field;
    if (d->cursor) {
      if (const auto bin = d->data->field->binAt(*d->cursor)) {
        QColor shade = plotStyle().colours.selection;
        shade.setAlphaF(0.28F);
        const double left = x.coordToPixel(field.start[*bin]), right = x.coordToPixel(field.end[*bin]);
        painter.fillRect(QRectF(left, rect.top(), right - left, rect.height()), shade);
      }
      const double at = x.coordToPixel(*d->cursor);
      painter.setPen(pen(plotStyle().colours.selection, 1.4, Qt::DotLine));
      painter.drawLine(QLineF(at, rect.top(), at, rect.bottom() + 1));
    }
    drawTicks(painter, rect, d->selected, plotStyle());
    if (d->hovered) {
      const double at = x.coordToPixel(*d->hovered);
      painter.setPen(pen(plotStyle().colours.muted, 1, Qt::DotLine));
      painter.drawLine(QLineF(at, rect.top(), at, rect.bottom() + 1));
    }
  });
}

void ProfileView::hovered(const QPointF& position, const QPoint& global) {
  if (d->data == nullptr || plot().axisRectCount() == 0) return;
  const QCPAxisRect& rect = *plot().axisRect(0);
  const double tokens = rect.axis(QCPAxis::atBottom)->pixelToCoord(position.x());
  const auto bin = rect.rect().contains(position.toPoint()) ? d->data->field->binAt(tokens) : std::nullopt;
  if (!bin) {
    hoverLeft();
    showTip({}, global);
    return;
  }
  const ProfileField& field = *d->data->field;
  d->hovered = field.tau[*bin];
  replotOverlay();
  QString tip =
      tr("position %1 to %2").arg(numberLabel(field.start[*bin], 0), numberLabel(field.end[*bin], 0));
  if (d->data->chosen) {
    const std::size_t index = field.index(*d->data->chosen, *bin);
    tip += "<br><b>" + QString::fromStdString(field.heads[*d->data->chosen].text()) + "</b> AP " +
           QString::fromStdString(fixedText(field.ap[index], 3)) +
           intervalText(field.apLow, field.apHigh, index) + " · " +
           tr("%1 queries, %2 pairs")
               .arg(numberLabel(static_cast<double>(field.queries[index]), 0),
                    numberLabel(static_cast<double>(field.pairs[index]), 0));
  }
  tip += "<br>" + tr("mean %1%2 over %3 heads")
                      .arg(QString::fromStdString(fixedText(field.mean[*bin], 3)),
                           intervalText(field.meanLow, field.meanHigh, *bin))
                      .arg(field.meanHeads[*bin]);
  showTip(tip, global);
  Q_EMIT positionHovered(tokens, static_cast<qint64>(*bin));
}

void ProfileView::hoverLeft() {
  if (!d->hovered) return;
  d->hovered.reset();
  replotOverlay();
  Q_EMIT positionUnhovered();
}

void ProfileView::clicked(const QPointF& position) {
  if (d->data == nullptr || plot().axisRectCount() == 0) return;
  const QCPAxisRect& rect = *plot().axisRect(0);
  if (!rect.rect().contains(position.toPoint())) return;
  const double tokens = rect.axis(QCPAxis::atBottom)->pixelToCoord(position.x());
  if (const auto bin = d->data->field->binAt(tokens))
    Q_EMIT positionActivated(tokens, static_cast<qint64>(*bin));
}

}  // namespace plastiscope
