#include "widgets/plots/profile_figure.h"

#include <algorithm>
#include <cmath>

#include "widgets/plots/interval_marks.h"
#include "widgets/plots/panel.h"
#include "widgets/plots/profile_parts.h"
#include "widgets/plots/published.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

bool bandShown(const ProfileData& data, const ProfileOptions& options) {
  return options.intervals && data.chosen && !data.field->apLow.empty();
}

bool meanBandShown(const ProfileData& data, const ProfileOptions& options) {
  const auto& low = data.field->meanLow;
  return options.intervals && std::any_of(low.begin(), low.end(), [](double v) { return std::isfinite(v); });
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
    if (bandShown(data, options))
      legend.push_back(
          bandEntry(intervalText(IntervalOver::Examples, field.examples), style.colours.selection, style));
  }
  legend.push_back(lineEntry(meanText(field), meanPen(style)));
  if (meanBandShown(data, options))
    legend.push_back(bandEntry(intervalText(IntervalOver::Heads), style.colours.text, style));
  if (published != nullptr)
    legend.push_back(publishedEntry(*published, otherWindowText(published->window, field.window), style));
  QColor grey = style.colours.otherHeads;
  grey.setAlphaF(0.8F);
  legend.push_back(lineEntry(QStringLiteral("heads"), pen(grey, style.thinWidth)));
  if (few) {
    legend.push_back(pointEntry(QStringLiteral("< %1 pairs").arg(ProfileData::kFewPairs), style.colours.view,
                                pen(style.colours.selection, 0.75 * style.lineWidth), style.pointSize));
  }
  if (options.parts == ProfileParts::Both && !bandShown(data, options) &&
      shownIntervals(data, options) != nullptr && shownIntervalsOver(data) == IntervalOver::Examples)
    legend.push_back(whiskerEntry(intervalText(IntervalOver::Examples, field.examples), style));
  return legend;
}

double windowOf(const ProfileData& data) {
  return static_cast<double>(std::max<std::int64_t>(1, data.field->window));
}

QCPAxisRect& addProfile(const FigurePlace& place, int row, const ProfileData& data, const PlotStyle& style,
                        const ProfileOptions& options) {
  const auto range = options.range.value_or(std::pair{0.0, 1.0});
  const auto field = data.field;
  const PositionAxis axis = positionAxisOf(data, options);
  const double end = profileEnd(data, options);
  QCPAxisRect& rect = addPanel(place, row + 1, 0, style,
                               {Frame::Box,
                                true,
                                true,
                                positionTitle(axis),
                                QStringLiteral("plasticity AP|AP"),
                                {},
                                lastPositionLabel(axis, end)});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  setUpPositions(x, axis, end, windowOf(data));
  y.setTicker(QSharedPointer<NumberTicker>::create(y));
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
      rect, "marks", Clip::AxisRect,
      [field, data, style, options, published, axis, &rect](QCPPainter& painter) {
        const bool own = axis == PositionAxis::Tokens && published != nullptr && published->window > 0;
        const double whole = own ? static_cast<double>(published->window) : windowOf(data);
        if (meanBandShown(data, options))
          drawBand(painter, rect, field->tau, field->meanLow, field->meanHigh, style.colours.text, style);
        if (published != nullptr)
          drawPublished(
              painter, rect, *published, [whole](double share) { return share * whole; }, style);
        if (bandShown(data, options)) drawHeadBand(painter, data, rect, style);
        drawMean(painter, *field, rect, style);
        if (data.chosen) drawChosen(painter, data, rect, style);
      });
  addWrappedLegend(place, row, 0, style, profileLegend(data, style, options));
  return rect;
}

}  // namespace

QString meanText(const ProfileField& field) {
  const QString of =
      field.scopeText == "all heads" ? QString() : " of " + QString::fromStdString(field.scopeText);
  return QStringLiteral("mean of %1 heads").arg(numberLabel(static_cast<double>(field.heads.size()), 0)) + of +
         (field.corrected ? QStringLiteral(", bias-corrected") : QString());
}

PositionAxis positionAxisOf(const ProfileData& data, const ProfileOptions& options) {
  if (options.axis) return *options.axis;
  const GhostCurve* published = shownCurve(options, &PublishedProfile::profile);
  const bool other = published != nullptr && published->window > 0 && published->window != data.field->window;
  return other ? PositionAxis::Share : PositionAxis::Tokens;
}

double profileEnd(const ProfileData& data, const ProfileOptions& options) {
  const GhostCurve* published = shownCurve(options, &PublishedProfile::profile);
  const bool tokens = positionAxisOf(data, options) == PositionAxis::Tokens;
  return std::max(windowOf(data),
                  tokens && published != nullptr ? static_cast<double>(published->window) : 0);
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
