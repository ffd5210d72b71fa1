#include "widgets/pages/preview_pictures.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "core/views/head_grid_data.h"
#include "core/views/plane_data.h"
#include "core/views/profile_data.h"
#include "core/views/study_facts.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {
namespace {

constexpr int kLines = 80;  // maximum number of grey profiles

struct Canvas {
  QImage image;
  QPainter painter;
  QRectF area;
  Canvas(QSize pixels, const PlotColours& colours) : image(pixels, QImage::Format_ARGB32_Premultiplied) {
    image.fill(colours.view);
    painter.begin(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const double margin = pixels.height() * 0.08;
    area = QRectF(image.rect()).adjusted(margin, margin, -margin, -margin);
  }
  QImage done() {
    painter.end();
    return image;
  }
};

ApKind kindOf(const Study& study) {
  return shownPlasticity(*study.analysis, ApKind::Aligned).kind;
}

QImage paintGrid(const Study& study, QSize pixels, const PlotColours& colours) {
  const HeadGridData grid = makeHeadGrid(study.analysis, factsOf(study),
                                         columnAs(kindOf(study), "ap_overall"));
  double low = 1, high = 0;
  for (const HeadGridCell& cell : grid.cells) {
    if (!cell.captured || std::isnan(cell.value)) continue;
    low = std::min(low, cell.value);
    high = std::max(high, cell.value);
  }
  Canvas canvas(pixels, colours);
  canvas.painter.setRenderHint(QPainter::Antialiasing, false);
  const double width = canvas.area.width() / static_cast<double>(grid.heads);
  const double height = canvas.area.height() / static_cast<double>(grid.layers);
  for (std::int64_t layer = 0; layer < grid.layers; ++layer) {
    for (std::int64_t head = 0; head < grid.heads; ++head) {
      const HeadGridCell& cell = grid.at(layer, head);
      const bool valued = cell.captured && !std::isnan(cell.value);
      const QColor colour =
          valued
              ? QColor(
                    colourMap(QStringLiteral("viridis")).at((cell.value - low) / std::max(high - low, 1e-9)))
              : colours.window;
      const double gap = height > 4 ? 1 : 0;
      canvas.painter.fillRect(
          QRectF(canvas.area.left() + width * static_cast<double>(head),
                 canvas.area.top() + height * static_cast<double>(layer), width - 1, height - gap),
          colour);
    }
  }
  return canvas.done();
}

// Range of the middle of many values, so that outliers do not shrink the picture.
std::pair<double, double> bulk(std::vector<float> values) {
  std::erase_if(values, [](float v) { return !std::isfinite(v); });
  if (values.empty()) return {0, 1};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  const double low = at(0.005), high = at(0.995);
  return {low, std::max(high, low + 1e-9)};
}

QImage paintPlane(const Study& study, HeadName head, QSize pixels, const PlotColours& colours) {
  const PlaneData plane = makeAbPlane(study, head);
  Canvas canvas(pixels, colours);
  std::vector<float> xs = plane.query.x, ys = plane.query.y;
  xs.insert(xs.end(), plane.key.x.begin(), plane.key.x.end());
  ys.insert(ys.end(), plane.key.y.begin(), plane.key.y.end());
  const auto [left, right] = bulk(xs);
  const auto [bottom, top] = bulk(ys);
  const double radius = pixels.height() / 90.0;
  for (const QueryOrKey kind : {QueryOrKey::Query, QueryOrKey::Key}) {
    const PlaneRows& rows = plane.rows(kind);
    const auto& ramp = kind == QueryOrKey::Query ? colours.queryRamp : colours.keyRamp;
    canvas.painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!std::isfinite(rows.x[i]) || !std::isfinite(rows.y[i])) continue;
      const QPointF place(
          canvas.area.left() + canvas.area.width() * (rows.x[i] - left) / (right - left),
          canvas.area.bottom() - canvas.area.height() * (rows.y[i] - bottom) / (top - bottom));
      if (!QRectF(canvas.image.rect()).contains(place)) continue;
      canvas.painter.setBrush(
          rampColour(ramp, static_cast<double>(rows.position[i]) / static_cast<double>(plane.window)));
      canvas.painter.drawEllipse(place, radius, radius);
    }
  }
  return canvas.done();
}

QImage paintProfiles(const Study& study, HeadName head, QSize pixels, const PlotColours& colours) {
  const auto field = makeProfileField(*study.analysis, {}, kindOf(study));
  Canvas canvas(pixels, colours);
  const auto draw = [&](std::size_t h) {
    QPainterPath path;
    bool open = false;
    for (std::size_t bin = 0; bin < field->bins(); ++bin) {
      const double value = field->ap[field->index(h, bin)];
      if (std::isnan(value)) {
        open = false;
        continue;
      }
      const QPointF place(
          canvas.area.left() + canvas.area.width() * field->tau[bin] / static_cast<double>(field->window),
          canvas.area.bottom() - canvas.area.height() * value);
      if (open)
        path.lineTo(place);
      else
        path.moveTo(place);
      open = true;
    }
    canvas.painter.drawPath(path);
  };
  const std::size_t step = std::max<std::size_t>(1, field->heads.size() / kLines);
  canvas.painter.setPen(QPen(colours.otherHeads, pixels.height() / 130.0));
  for (std::size_t h = 0; h < field->heads.size(); h += step) draw(h);
  const auto chosen = std::find(field->heads.begin(), field->heads.end(), head);
  canvas.painter.setPen(QPen(colours.selection, pixels.height() / 40.0));
  if (chosen != field->heads.end()) draw(static_cast<std::size_t>(chosen - field->heads.begin()));
  return canvas.done();
}

}  // namespace

PreviewPictures paintPreviews(const Study& study, QSize pixels, bool dark) {
  const PlotColours colours = plotColours(dark ? Theme::Dark : Theme::Light, false);
  const HeadName head = headOfInterest(*study.analysis, kindOf(study)).value_or(HeadName());
  return {paintGrid(study, pixels, colours), paintPlane(study, head, pixels, colours),
          paintProfiles(study, head, pixels, colours)};
}

}  // namespace plastiscope
