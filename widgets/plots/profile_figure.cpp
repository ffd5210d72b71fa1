#include "widgets/plots/profile_figure.h"

#include <algorithm>
#include <cmath>

#include "widgets/plots/panel.h"
#include "widgets/plots/profile_parts.h"
#include "widgets/plots/published.h"

namespace plastiscope {

namespace {

bool bandShown(const ProfileData& data, const ProfileOptions& options) {
  return options.intervals && data.chosen && !data.field->apLow.empty();
}

std::vector<LegendEntry> profileLegend(const ProfileData& data, const PlotStyle& style,
                                       const ProfileOptions& options) {
  const ProfileField& field = *data.field;
  const GhostCurve* published = shownCurve(options, &PublishedProfile::profile);
  std::vector<LegendEntry> legend;
  bool few = false;
  if (data.chosen) {
    legend.push_back(linePointEntry(QString::fromStdString(field.heads[*data.chosen].text()),
                                    pen(style.colours.selection, style.lineWidth), style.colours.selection,
                                    style.pointSize));
    for (std::size_t b = 0; b < field.bins(); ++b) {
      const std::size_t index = field.index(*data.chosen, b);
      few = few || (std::isfinite(field.ap[index]) && field.pairs[index] < ProfileData::kFewPairs);
    }
  }
  legend.push_back(lineEntry(meanText(field), meanPen(style)));
  if (published != nullptr) legend.push_back(publishedEntry(*published, style));
  QColor grey = style.colours.otherHeads;
  grey.setAlphaF(0.8F);
  legend.push_back(lineEntry(QStringLiteral("heads"), pen(grey, style.thinWidth)));
  if (few) {
    legend.push_back(pointEntry(QStringLiteral("< %1 pairs").arg(ProfileData::kFewPairs), style.colours.view,
                                pen(style.colours.selection, 0.75 * style.lineWidth), style.pointSize));
  }
  if (bandShown(data, options)) {
    legend.push_back(bandEntry(style));
  } else if (options.parts == ProfileParts::Both && shownIntervals(data, options) != nullptr) {
    legend.push_back(intervalEntry(style));
  }
  return legend;
}

QCPAxisRect& addProfile(const FigurePlace& place, int row, const ProfileData& data, const PlotStyle& style,
                        const ProfileOptions& options) {
  const auto range = options.range.value_or(std::pair{0.0, 1.0});
  const auto field = data.field;
  QCPAxisRect& rect =
      addPanel(place, row + 1, 0, style,
               {Frame::Box,
                true,
                true,
                QStringLiteral("query position (tokens)"),
                QStringLiteral("plasticity AP|AP"),
                {},
                TokenTicker::text(static_cast<double>(field->window), static_cast<double>(field->window))});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  x.setTicker(QSharedPointer<TokenTicker>::create(x));
  y.setTicker(QSharedPointer<NumberTicker>::create(y));
  x.setRange(0, static_cast<double>(std::max<std::int64_t>(1, field->window)));
  y.setRange(range.first, range.second);
  const std::vector<double> shown =
      data.chosen ? std::vector<double>(
                        field->ap.begin() + static_cast<std::ptrdiff_t>(*data.chosen * field->bins()),
                        field->ap.begin() + static_cast<std::ptrdiff_t>((*data.chosen + 1) * field->bins()))
                  : field->mean;
  new PaintedLayer(rect, "grid", Clip::AxisRect, [field, shown, &rect, style](QCPPainter& p) {
    drawMissing(p, *field, shown, rect, style);
  });
  new PaintedLayer(rect, "main", Clip::AxisRect, HeadLines(field, style, rect, options.lines));
  const GhostCurve* published = shownCurve(options, &PublishedProfile::profile);
  new PaintedLayer(
      rect, "marks", Clip::AxisRect, [field, data, style, options, published, &rect](QCPPainter& painter) {
        const auto toTokens = [&field](double share) { return share * static_cast<double>(field->window); };
        if (published != nullptr) drawPublished(painter, rect, *published, toTokens, style);
        if (bandShown(data, options)) drawBand(painter, data, rect, style);
        drawMean(painter, *field, rect, style);
        if (data.chosen) drawChosen(painter, data, rect, style);
      });
  addLegend(place, row, 0, style, rect, profileLegend(data, style, options));
  return rect;
}

}  // namespace

QString meanText(const ProfileField& field) {
  const QString of =
      field.scopeText == "all heads" ? QString() : " of " + QString::fromStdString(field.scopeText);
  return QStringLiteral("mean of %1 heads").arg(numberLabel(static_cast<double>(field.heads.size()), 0)) + of +
         (field.corrected ? QStringLiteral(", bias-corrected") : QString());
}

const GhostCurve* shownCurve(const ProfileOptions& options, GhostCurve PublishedProfile::* which) {
  if (options.published == nullptr || ((*options.published).*which).empty()) return nullptr;
  return &((*options.published).*which);
}

void buildProfile(const FigurePlace& place, const ProfileData& data, const PlotStyle& style,
                  const ProfileOptions& options) {
  place.clear(style);
  if (options.parts == ProfileParts::Quintiles) {
    addQuintiles(place, 0, data, style, options);
    return;
  }
  QCPAxisRect& profile = addProfile(place, 0, data, style, options);
  if (options.parts == ProfileParts::Profile) return;
  QCPAxisRect& quintiles = addQuintiles(place, 2, data, style, options);
  auto* group = new QCPMarginGroup(&place.plot());
  for (QCPAxisRect* rect : {&profile, &quintiles}) rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
  place.grid().setRowStretchFactor(1, 2.1);
  place.grid().setRowStretchFactor(2, 1);
}

}  // namespace plastiscope
