// How long the GUI thread is busy when a picture changes: build and paint at screen size. Not a test.
// performance.md: switching heads (16,000 rows) under 50 ms, a million points without stutter.
#include <QApplication>
#include <QElapsedTimer>
#include <cstdio>
#include <random>

#include "core/views/plane_data.h"
#include "core/views/profile_data.h"
#include "figures/figure_study.h"
#include "widgets/plots/head_grid_figure.h"
#include "widgets/plots/offscreen.h"
#include "widgets/plots/plane_figure.h"
#include "widgets/plots/profile_figure.h"

using namespace plastiscope;

namespace {

std::shared_ptr<const PlaneData> cloud(std::size_t rows) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  auto plane = std::make_shared<PlaneData>();
  plane->window = 4096;
  for (PlaneRows* kind : {&plane->query, &plane->key}) {
    for (std::size_t i = 0; i < rows / 2; ++i) {
      kind->position.push_back(static_cast<std::int32_t>(i % 4096));
      kind->example.push_back(0);
      kind->x.push_back(normal(generator) + (kind == &plane->query ? 4.F : -4.F));
      kind->y.push_back(normal(generator));
    }
  }
  plane->range = {-9, 9, -5, 5, 0};
  return plane;
}

ProfileData profile(std::size_t heads, std::size_t bins) {
  auto field = std::make_shared<ProfileField>();
  field->window = 131072;
  const double width = 131072.0 / static_cast<double>(bins);
  for (std::size_t b = 0; b < bins; ++b) {
    const auto at = static_cast<double>(b);
    field->start.push_back(at * width);
    field->end.push_back((at + 1) * width);
    field->tau.push_back((at + 0.5) * width);
    field->mean.push_back(0.5);
    field->meanHeads.push_back(1);
  }
  for (std::size_t h = 0; h < heads; ++h) {
    field->heads.push_back({static_cast<std::int64_t>(h / 32), static_cast<std::int64_t>(h % 32)});
    field->quintiles.push_back({0.5, 0.5, 0.5, 0.5, 0.5});
    for (std::size_t b = 0; b < bins; ++b)
      field->ap.push_back(0.5 + 0.3 * std::sin(static_cast<double>(h * 7 + b)));
  }
  field->pairs.assign(heads * bins, 256);
  field->queries.assign(heads * bins, 50);
  field->quintileMean.fill(0.5);
  return makeProfile(field, field->heads.front());
}

HeadGridData grid(std::int64_t layers, std::int64_t heads) {
  HeadGridData data;
  data.metric = describeMetric("ap_overall");
  data.layers = layers;
  data.heads = heads;
  data.groupSize = 4;
  data.cells.assign(static_cast<std::size_t>(layers * heads), {true, false, false, 0.5});
  return data;
}

template <typename Build>
void time(const char* what, QSize size, Build build) {
  QImage image(size, QImage::Format_RGB32);
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    QElapsedTimer timer;
    timer.start();
    paintFigureOnScreen(image, PlotStyle::screen(Theme::Light, QFont()), build);
    best = std::min(best, static_cast<double>(timer.nsecsElapsed()) / 1e6);
  }
  std::printf("%-44s %7.1f ms\n", what, best);
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  const QSize size(560, 420);
  for (const std::size_t rows : {16000UL, 100000UL, 1000000UL}) {
    const auto plane = cloud(rows);
    const QByteArray what =
        QByteArray("plane, ") + QByteArray::number(static_cast<qulonglong>(rows)) + " rows";
    time(what, size, [&](QCustomPlot& plot, const PlotStyle& style) { buildPlane(plot, plane, style); });
  }
  for (const auto& [heads, bins] : {std::pair{270UL, 41UL}, std::pair{1152UL, 160UL}}) {
    const ProfileData data = profile(heads, bins);
    const QByteArray what = "profile, " + QByteArray::number(static_cast<qulonglong>(heads)) + " heads x " +
                            QByteArray::number(static_cast<qulonglong>(bins)) + " bins";
    time(what, size, [&](QCustomPlot& plot, const PlotStyle& style) { buildProfile(plot, data, style); });
  }
  const HeadGridData data = grid(48, 64);
  time("head grid, 48 x 64", size,
       [&](QCustomPlot& plot, const PlotStyle& style) { buildHeadGrid(plot, data, style); });
  return 0;
}
