#include "widgets/plots/series_icon.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPixmap>

#include "core/figures/parts.h"
#include "widgets/plots/mark_shapes.h"
#include "widgets/state/theme.h"

namespace plastiscope {

namespace {
constexpr int kSide = 14;
constexpr double kMarker = 9;
}  // namespace

std::vector<QIcon> seriesIcons(const Comparison& comparison) {
  const PlotStyle style =
      PlotStyle::screen(currentTheme().dark ? Theme::Dark : Theme::Light, QGuiApplication::font());
  std::vector<ComparedName> models;
  for (const ComparedModel& model : comparison.models) models.push_back(comparedName(model));
  std::vector<QIcon> icons;
  for (const SeriesStyle& look : seriesStyles(models)) {
    QIcon& icon = icons.emplace_back();
    for (const int scale : {1, 2}) {
      QPixmap picture(kSide * scale, kSide * scale);
      picture.setDevicePixelRatio(scale);
      picture.fill(Qt::transparent);
      QPainter painter(&picture);
      painter.setRenderHint(QPainter::Antialiasing);
      paintShapes(painter, {markerShape(look.mark(1), QPointF(0.5 * kSide, 0.5 * kSide), kMarker, style)});
      painter.end();
      icon.addPixmap(picture);
    }
  }
  return icons;
}

}  // namespace plastiscope
