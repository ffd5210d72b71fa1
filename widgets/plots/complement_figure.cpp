#include "widgets/plots/complement_figure.h"

#include <algorithm>

#include "widgets/plots/composition.h"
#include "widgets/plots/panel.h"
#include "widgets/plots/plane_figure.h"

namespace plastiscope {

namespace {

constexpr std::size_t kColumns = 6;  // figures.md: 5 x 6

QString percent(double share) {
  return numberLabel(100 * share, 100 * share < 9.95 ? 1 : 0) + QStringLiteral("\u2009%");
}

// One pair with the same range as all others.
void buildPair(const FigurePlace& place, const ComplementData& data, const ComplementPair& pair,
               const PlotStyle& style) {
  auto plane = std::make_shared<PlaneData>();
  plane->window = data.window;
  plane->xAxis.title = "first";
  plane->yAxis.title = "second";
  plane->query = pair.query;
  plane->key = pair.key;
  plane->range = {-data.reach, data.reach, -data.reach, data.reach, 0};
  buildCloud(place, plane, style);
}

}  // namespace

void buildComplement(const FigurePlace& place, const std::shared_ptr<const ComplementData>& data,
                     const PlotStyle& style) {
  std::vector<FigurePanel> panels;
  for (const ComplementPair& pair : data->pairs) {
    panels.push_back(
        {QStringLiteral("%1\u2013%2: %3").arg(pair.first).arg(pair.first + 1).arg(percent(pair.share)),
         [data, &pair](const FigurePlace& cell, const PlotStyle& own) {
           buildPair(cell, *data, pair, own);
         }});
  }
  CompositionOptions options;
  options.columns = static_cast<int>(std::min(kColumns, panels.size()));
  options.letters = false;
  options.note = QStringLiteral("directions outside {<i>a</i>, <i>b</i>}: share of their variance");
  if (data->shown < data->rows)
    options.note += QStringLiteral(" \u00b7 %1 of %2 rows")
                        .arg(numberLabel(static_cast<double>(data->shown), 0),
                             numberLabel(static_cast<double>(data->rows), 0));
  buildComposition(place, panels, style, options);
}

}  // namespace plastiscope
