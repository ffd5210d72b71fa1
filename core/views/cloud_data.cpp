#include "core/views/cloud_data.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/analysis/planes.h"
#include "core/base/error.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

using Rows = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

constexpr std::int64_t kMaxDim = 2048;  // a covariance of 32 MiB; far above the head_dim of any known model
constexpr std::int64_t kBlockRows = 1024;

Rows vectorsOf(const CapturedRows& rows) {
  return {rows.vectors.data(), static_cast<Eigen::Index>(rows.position.size()),
          static_cast<Eigen::Index>(rows.headDim)};
}

template <typename Visit>
void eachFiniteBlock(const CapturedRows& query, const CapturedRows& key, const Visit& visit) {
  Matrix block(kBlockRows, query.headDim);
  for (const CapturedRows* set : {&query, &key}) {
    const Rows rows = vectorsOf(*set);
    Eigen::Index used = 0;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      if (rows.row(i).allFinite()) block.row(used++) = rows.row(i).cast<double>();
      if (used == kBlockRows || (i + 1 == rows.rows() && used > 0)) {
        visit(block.topRows(used));
        used = 0;
      }
    }
  }
}

// Mean and covariance of queries and keys together; rows with a non-finite number are left out.
Moments poolOf(const CapturedRows& query, const CapturedRows& key) {
  Moments pool;
  pool.mean = Vector::Zero(query.headDim);
  double count = 0;
  eachFiniteBlock(query, key, [&](const auto& block) {
    pool.mean += block.colwise().sum().transpose();
    count += static_cast<double>(block.rows());
  });
  if (count > 0) pool.mean /= count;
  pool.covariance = Matrix::Zero(query.headDim, query.headDim);
  eachFiniteBlock(query, key, [&](const auto& block) {
    const Matrix centred = block.rowwise() - pool.mean.transpose();
    pool.covariance.template selfadjointView<Eigen::Lower>().rankUpdate(centred.transpose());
  });
  if (count > 0) pool.covariance /= count;
  pool.covariance = Matrix(pool.covariance.selfadjointView<Eigen::Lower>());
  return pool;
}

Vector vectorOf(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

double shareOf(const Moments& pool, const Vector& direction) {
  const double variance = pool.trace();
  return variance > 0 ? direction.dot(pool.covariance * direction) / variance : kMissing;
}

std::vector<float> projected(const CapturedRows& query, const CapturedRows& key, const Vector& direction,
                             double origin) {
  std::vector<float> values;
  values.reserve(query.position.size() + key.position.size());
  for (const CapturedRows* set : {&query, &key}) {
    const Rows rows = vectorsOf(*set);
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const auto value = static_cast<float>(rows.row(i).cast<double>().dot(direction) - origin);
      values.push_back(std::isfinite(value) ? value : std::numeric_limits<float>::quiet_NaN());
    }
  }
  return values;
}

std::string titleOf(const CloudAxis& axis) {
  if (!std::isfinite(axis.share)) return axis.name;
  const double percent = 100 * axis.share;
  return axis.name + " \u00b7 " + fixedText(percent, percent < 9.95 ? 1 : 0) + "\u00a0%";
}

// Sets CloudAxis::low and high.
void findRange(CloudAxis& axis) {
  std::vector<float> sorted;
  sorted.reserve(axis.value.size());
  for (const float value : axis.value) {
    if (std::isfinite(value)) sorted.push_back(value);
  }
  if (sorted.empty()) return;
  const auto at = [&sorted](double share) {
    const auto index =
        static_cast<std::ptrdiff_t>(std::llround(share * static_cast<double>(sorted.size() - 1)));
    std::nth_element(sorted.begin(), sorted.begin() + index, sorted.end());
    return static_cast<double>(sorted[static_cast<std::size_t>(index)]);
  };
  const double bulkLow = at(0.005), bulkHigh = at(0.995);
  const double margin = 0.25 * (bulkHigh - bulkLow);
  axis.low = std::max(at(0), bulkLow - margin);
  axis.high = std::min(at(1), bulkHigh + margin);
}

// All possible axes, in the order of CloudData::axes.
enum AxisId : std::size_t { kA, kB, kComplement, kPc0, kPc1, kPc2, kPosition, kAxisCount };

struct AxisText {
  const char *label, *name;
};
constexpr std::array<AxisText, kAxisCount> kAxisTexts = {{{"a", "a, position axis"},
                                                          {"b", "b, separation axis"},
                                                          {"c1", "c1, complement"},
                                                          {"PC0", "PC0"},
                                                          {"PC1", "PC1"},
                                                          {"PC2", "PC2"},
                                                          {"t", "position (tokens)"}}};

// Axes of a frame: across, up, towards the viewer.
struct FrameText {
  const char *id, *title;
  std::array<AxisId, 3> axes;
};
constexpr std::array<FrameText, 3> kFrames = {{{"complement", "a, b, c1", {kA, kB, kComplement}},
                                               {"principal", "PC0, PC1, PC2", {kPc0, kPc1, kPc2}},
                                               {"position", "a, b, position", {kA, kB, kPosition}}}};

using FoundAxes = std::array<std::optional<CloudAxis>, kAxisCount>;

void collect(CloudData& cloud, FoundAxes found) {
  std::array<std::optional<std::size_t>, kAxisCount> places;
  for (std::size_t id = 0; id < kAxisCount; ++id) {
    if (!found[id]) continue;
    places[id] = cloud.axes.size();
    CloudAxis axis = std::move(*found[id]);
    axis.label = kAxisTexts[id].label;
    axis.name = kAxisTexts[id].name;
    axis.title = titleOf(axis);
    findRange(axis);
    cloud.axes.push_back(std::move(axis));
  }
  for (const FrameText& text : kFrames) {
    const auto [across, up, towards] = text.axes;
    if (!places[across] || !places[up] || !places[towards]) continue;
    cloud.frames.push_back({text.id, text.title, {*places[across], *places[up], *places[towards]}});
  }
  if (cloud.rows() == 0) cloud.frames.clear();
  if (cloud.frames.empty())
    cloud.missing = "This head has no three axes to show: its rows do not determine them";
}

void requireLength(const std::vector<double>& direction, const CapturedRows& query, const CapturedRows& key) {
  if (query.headDim == key.headDim && static_cast<std::int64_t>(direction.size()) == query.headDim) return;
  throw InputError("capture and analysis do not belong together: queries of " +
                   std::to_string(query.headDim) + " numbers, keys of " + std::to_string(key.headDim) +
                   ", axes of " + std::to_string(direction.size()));
}

CloudAxis positions(const CloudData& cloud) {
  CloudAxis axis;
  axis.value.assign(cloud.position.begin(), cloud.position.end());
  axis.activation = false;
  return axis;
}

// All axes of the head that the analysis has.
CloudDirections directionsOf(const AnalysisFile& analysis, HeadName head, std::int64_t headDim) {
  if (headDim > kMaxDim) return {};
  const auto axis = [&](const char* name) { return axisOf(analysis, head, name, headDim); };
  return {axis("a"), axis("b"), {axis("pc0"), axis("pc1"), axis("pc2")}};
}

}  // namespace

double CloudData::positionShare(std::size_t row) const {
  if (window <= 1) return 0;
  return std::clamp(static_cast<double>(position[row]) / static_cast<double>(window - 1), 0.0, 1.0);
}

CloudData projectCloud(const CapturedRows& query, const CapturedRows& key, const CloudDirections& directions,
                       std::int64_t window) {
  CloudData cloud;
  cloud.window = window;
  cloud.queryRows = query.position.size();
  cloud.position = query.position;
  cloud.position.insert(cloud.position.end(), key.position.begin(), key.position.end());
  cloud.example = query.example;
  cloud.example.insert(cloud.example.end(), key.example.begin(), key.example.end());

  const std::array<const std::vector<double>*, kAxisCount> given = {
      &directions.a,     &directions.b,     nullptr, &directions.pc[0],
      &directions.pc[1], &directions.pc[2], nullptr};
  for (const auto* direction : given) {
    if (direction != nullptr && !direction->empty()) requireLength(*direction, query, key);
  }
  const bool anyDirection =
      std::any_of(given.begin(), given.end(), [](const auto* v) { return v && !v->empty(); });
  if (!anyDirection || query.headDim > kMaxDim) {
    collect(cloud, {});
    return cloud;
  }
  const Moments pool = poolOf(query, key);
  FoundAxes found;
  const auto add = [&](std::size_t id, const Vector& direction, bool centre) {
    CloudAxis axis;
    axis.share = shareOf(pool, direction);
    axis.value = projected(query, key, direction, centre ? pool.mean.dot(direction) : 0);
    found[id] = std::move(axis);
  };
  for (std::size_t id = 0; id < kAxisCount; ++id) {
    if (given[id] != nullptr && !given[id]->empty()) add(id, vectorOf(*given[id]), id >= kPc0);
  }
  if (found[kA] && found[kB]) {
    const Complement complement = complementOf(pool, vectorOf(directions.a), vectorOf(directions.b));
    if (complement.variances.size() > 0 && complement.variances[0] > complement.noise())
      add(kComplement, complement.directions.col(0), false);
    found[kPosition] = positions(cloud);
  }
  collect(cloud, std::move(found));
  return cloud;
}

CloudData makeCloud(const Study& study, HeadName head) {
  const StudyFacts facts = factsOf(study);
  CloudData cloud;
  cloud.missing = whyNoRows(study, head);
  if (cloud.missing.empty()) {
    const CloudDirections directions = directionsOf(*study.analysis, head, facts.headDimOf(head.layer));
    cloud = projectCloud(rowsOf(study, head, RowSet::Query), rowsOf(study, head, RowSet::Key), directions,
                         facts.window);
  }
  cloud.head = head;
  cloud.window = facts.window;
  cloud.exampleIds = facts.exampleIds;
  return cloud;
}

}  // namespace plastiscope
