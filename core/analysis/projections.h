#pragma once
// Every row's place on the axes of its head: what scatter plots outside the program start from.
#include "core/analysis/head_rows.h"
#include "core/analysis/pca.h"
#include "core/analysis/rotation.h"

namespace plastiscope {

// The rows of one kind. a and b are raw coordinates (as mu_q_a and the slopes see them), pc0 and pc1 those
// around the mean of the rows that the components are made from. An axis that the head lacks is empty.
struct RowProjections {
  std::vector<std::int64_t> example, position;  // [rows]
  Vector a, b, pc0, pc1;                        // [rows] or empty
  Matrix raw;                                   // [rows, chosen dimensions]
};
RowProjections projectionsOf(const KindRows& rows, const RotationResult& rotation, const PcaResult& pca,
                             const std::vector<std::int64_t>& rawDimensions);

// The dimensions that the setting vector_dimensions names: none, all, or a list such as 0-3,9. UsageError for
// anything else, also for a dimension that the head does not have.
std::vector<std::int64_t> chosenDimensions(const std::string& setting, std::int64_t headDim);

}  // namespace plastiscope
