#include "core/views/complement_data.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/planes.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

// Every `step`-th of the finite rows, and their number.
struct ChosenRows {
  VectorRows all;
  std::vector<Eigen::Index> shown;
};

ChosenRows finiteOf(const CapturedRows& rows) {
  std::vector<DroppedRow> dropped;
  return {finiteRows({rows.headDim, rows.vectors, rows.position, rows.example}, dropped), {}};
}

void choose(ChosenRows& rows, Eigen::Index step) {
  for (Eigen::Index i = 0; i < rows.all.rows(); i += step) rows.shown.push_back(i);
}

PlaneRows projected(const ChosenRows& rows, const Vector& mean, const Vector& first, const Vector& second) {
  const Vector x = centredAlong(rows.all, mean, first), y = centredAlong(rows.all, mean, second);
  PlaneRows out;
  for (const Eigen::Index i : rows.shown) {
    const auto row = static_cast<std::size_t>(i);
    out.position.push_back(static_cast<std::int32_t>(rows.all.position[row]));
    out.example.push_back(static_cast<std::int32_t>(rows.all.example[row]));
    out.x.push_back(static_cast<float>(x[i]));
    out.y.push_back(static_cast<float>(y[i]));
  }
  return out;
}

// Half the side of the square that holds nearly all marks: single outliers would squeeze the rest.
double reachOf(const ComplementData& data) {
  std::vector<float> sizes;
  for (const ComplementPair& pair : data.pairs) {
    for (const PlaneRows* rows : {&pair.query, &pair.key}) {
      for (std::size_t i = 0; i < rows->size(); ++i)
        sizes.push_back(std::max(std::fabs(rows->x[i]), std::fabs(rows->y[i])));
    }
  }
  if (sizes.empty()) return 1;
  const auto place = static_cast<std::ptrdiff_t>(0.996 * static_cast<double>(sizes.size() - 1));
  std::nth_element(sizes.begin(), sizes.begin() + place, sizes.end());
  const double reach = static_cast<double>(sizes[static_cast<std::size_t>(place)]);
  return reach > 0 ? 1.08 * reach : 1;
}

Vector eigenVector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

struct ChosenHead {
  ChosenRows query, key;
};

void addPairs(ComplementData& data, ChosenHead rows, const Complement& complement, std::size_t mostPairs,
              std::size_t mostPoints) {
  auto& [query, key] = rows;
  const auto directions = static_cast<std::size_t>(complement.directions.cols());
  const std::size_t pairs = std::min(mostPairs, directions / 2);
  if (pairs == 0) return;
  data.rows = query.all.rows() + key.all.rows();
  const std::size_t points = static_cast<std::size_t>(data.rows) * pairs;
  const auto step =
      static_cast<Eigen::Index>((points + mostPoints - 1) / std::max<std::size_t>(1, mostPoints));
  for (ChosenRows* one : {&query, &key}) choose(*one, std::max<Eigen::Index>(1, step));
  data.shown = static_cast<std::int64_t>(query.shown.size() + key.shown.size());
  const double whole = complement.variances.sum();
  for (std::size_t p = 0; p < pairs; ++p) {
    const auto column = static_cast<Eigen::Index>(2 * p);
    const Vector first = complement.directions.col(column), second = complement.directions.col(column + 1);
    ComplementPair pair;
    pair.first = static_cast<std::int64_t>(column);
    pair.share = whole > 0 ? (complement.variances[column] + complement.variances[column + 1]) / whole : 0;
    pair.query = projected(query, complement.mean, first, second);
    pair.key = projected(key, complement.mean, first, second);
    data.pairs.push_back(std::move(pair));
  }
  data.reach = reachOf(data);
}

}  // namespace

ComplementData makeComplement(const Study& study, HeadName head, std::size_t mostPairs,
                              std::size_t mostPoints) {
  const StudyFacts facts = factsOf(study);
  ComplementData data;
  data.head = head;
  data.window = facts.window;
  data.exampleIds = facts.exampleIds;
  data.missing = whyNoRows(study, head);
  if (!data.missing.empty()) return data;
  const std::vector<double> a = axisOf(*study.analysis, head, "a", facts.headDimOf(head.layer)),
                            b = axisOf(*study.analysis, head, "b", facts.headDimOf(head.layer));
  if (a.empty() || b.empty()) {
    data.missing = missingAxis(head, a.empty() ? "a" : "b");
    return data;
  }
  ChosenRows query = finiteOf(rowsOf(study, head, RowSet::Query)),
             key = finiteOf(rowsOf(study, head, RowSet::Key));
  if (query.all.headDim() != static_cast<std::int64_t>(a.size()) || key.all.headDim() != query.all.headDim())
    throw InputError("capture and analysis do not belong together: vectors of " +
                     std::to_string(query.all.headDim()) + " numbers, axes of " + std::to_string(a.size()));
  const auto rows = static_cast<double>(query.all.rows() + key.all.rows());
  if (rows > 0) {
    const Moments pool =
        pooled(momentsOf(query.all), momentsOf(key.all), static_cast<double>(query.all.rows()) / rows,
               static_cast<double>(key.all.rows()) / rows);
    addPairs(data, {std::move(query), std::move(key)}, complementOf(pool, eigenVector(a), eigenVector(b)),
             mostPairs, mostPoints);
  }
  if (data.pairs.empty()) data.missing = head.text() + " has nothing outside the plane {a, b}";
  return data;
}

Table tableOf(const ComplementData& data) {
  TableBuilder table("complement-pairs", {integers("pair"), numbers("share"), texts("kind"), texts("example"),
                                          integers("position"), numbers("x"), numbers("y")});
  for (const ComplementPair& pair : data.pairs) {
    for (const QueryOrKey kind : {QueryOrKey::Query, QueryOrKey::Key}) {
      const PlaneRows& rows = kind == QueryOrKey::Query ? pair.query : pair.key;
      for (std::size_t i = 0; i < rows.size(); ++i)
        table.row({pair.first / 2, pair.share, std::string(nameOf(kind)),
                   exampleLabel(data.exampleIds, rows.example[i]), std::int64_t{rows.position[i]},
                   double{rows.x[i]}, double{rows.y[i]}});
    }
  }
  return table.take();
}

}  // namespace plastiscope
