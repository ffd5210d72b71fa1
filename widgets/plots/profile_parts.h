#pragma once
// What the profile and the fifths of the window are drawn of. Private to widgets/plots.
#include <QImage>
#include <array>
#include <memory>
#include <vector>

#include "widgets/plots/panel.h"
#include "widgets/plots/profile_figure.h"

namespace plastiscope {

// The grey lines as they were painted last: they do not change with the chosen head.
struct HeadLineCache {
  QImage image;
  std::shared_ptr<const ProfileField> field;
  std::array<double, 5> place{};  // where they stand: origin, scale, dots per unit
  QRgb colour = 0;
};

// All heads as faint lines: an own raster on the screen, vectors in files up to a limit.
class HeadLines {
 public:
  // cache: may be null.
  HeadLines(std::shared_ptr<const ProfileField> field, const PlotStyle& style, QCPAxisRect& rect,
            std::shared_ptr<HeadLineCache> cache);
  void operator()(QCPPainter& painter) const;

 private:
  std::shared_ptr<const ProfileField> m_field;
  PlotStyle m_style;
  QCPAxisRect* m_rect;
  std::shared_ptr<HeadLineCache> m_cache;
};

// The stretches of bins without a value.
void drawMissing(QCPPainter& painter, const ProfileField& field, const std::vector<double>& values,
                 const QCPAxisRect& rect, const PlotStyle& style);
// The mean over heads, dashed on a casing.
void drawMean(QCPPainter& painter, const ProfileField& field, const QCPAxisRect& rect,
              const PlotStyle& style);
// The chosen head: orange with a casing; bins with few pairs hollow on a pale line.
void drawChosen(QCPPainter& painter, const ProfileData& data, const QCPAxisRect& rect,
                const PlotStyle& style);
// Between the ends of the chosen head's intervals.
void drawHeadBand(QCPPainter& painter, const ProfileData& data, const QCPAxisRect& rect,
                  const PlotStyle& style);

// Bars with their numbers, in row `row` of the plot, and one row further below a legend when they are alone.
QCPAxisRect& addQuintiles(const FigurePlace& place, int row, const ProfileData& data, const PlotStyle& style,
                          const ProfileOptions& options);

// The axis of bars over the fifths of the window: their names at 0 ... 4, without ticks.
void setUpFifths(QCPAxis& x);

QPen meanPen(const PlotStyle& style);
QString meanText(const ProfileField& field);  // "mean of 32 heads of layer 12"
// Of the bars; null where none are known, or none are wanted.
const FifthIntervals* shownIntervals(const ProfileData& data, const ProfileOptions& options);
// Null where nothing is published.
const GhostCurve* shownCurve(const ProfileOptions& options, GhostCurve PublishedProfile::* which);

}  // namespace plastiscope
