#include "core/analysis/projections.h"

#include <charconv>

#include "core/base/error.h"

namespace plastiscope {

namespace {

Vector coordinate(const KindRows& rows, const Vector& axis) {
  return axis.size() == 0 ? Vector() : Vector(rows.vectors * axis);
}

Vector component(const KindRows& rows, const PcaResult& pca, Eigen::Index j) {
  if (j >= pca.components.cols()) return {};
  return centredAlong(rows, pca.mean, pca.components.col(j));
}

// "3" or "0-7"
void appendRange(std::string_view part, std::int64_t headDim, std::vector<std::int64_t>& list) {
  const auto fail = [&] {
    throw UsageError("vector_dimensions: expected dimensions below " + std::to_string(headDim) +
                     ", such as 0-3,9, found \"" + std::string(part) + "\"");
  };
  const char* const end = part.data() + part.size();
  std::int64_t first = 0, last = 0;
  auto read = std::from_chars(part.data(), end, first);
  last = first;
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-')
    read = std::from_chars(read.ptr + 1, end, last);
  if (read.ec != std::errc() || read.ptr != end || first < 0 || last < first || last >= headDim) fail();
  for (std::int64_t dimension = first; dimension <= last; ++dimension) list.push_back(dimension);
}

}  // namespace

RowProjections projectionsOf(const KindRows& rows, const RotationResult& rotation, const PcaResult& pca,
                             const std::vector<std::int64_t>& rawDimensions) {
  RowProjections result{rows.example,
                        rows.position,
                        coordinate(rows, rotation.a),
                        coordinate(rows, rotation.b),
                        component(rows, pca, 0),
                        component(rows, pca, 1),
                        Matrix(rows.rows(), static_cast<Eigen::Index>(rawDimensions.size()))};
  for (std::size_t i = 0; i < rawDimensions.size(); ++i)
    result.raw.col(static_cast<Eigen::Index>(i)) = rows.vectors.col(rawDimensions[i]);
  return result;
}

std::vector<std::int64_t> chosenDimensions(const std::string& setting, std::int64_t headDim) {
  std::vector<std::int64_t> list;
  if (setting == "none") return list;
  if (setting == "all") {
    for (std::int64_t dimension = 0; dimension < headDim; ++dimension) list.push_back(dimension);
    return list;
  }
  for (std::string_view rest = setting;;) {
    const std::size_t comma = rest.find(',');
    appendRange(rest.substr(0, comma), headDim, list);
    if (comma == std::string_view::npos) return list;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace plastiscope
