#pragma once
// Rotation of a layer's queries and keys with position: RoPE (Su et al. 2021) and a query temperature. Moves
// rows to other positions with unchanged content.
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/head_rows.h"

namespace plastiscope {

struct PositionRotation {
  // rad / token of each rotated pair, after scaling; one list for all texts, or one per text if it depends on
  // the text's length (dynamic, longrope). No list: no rotation.
  std::vector<std::vector<double>> frequencies;
  bool interleaved = false;  // pairs (2i, 2i + 1) instead of (i, i + rotated / 2)
  std::int64_t first = 0;    // first rotated dimension
  // Query temperature f(t) = 1 + beta ln(1 + floor((t + offset) / length)); beta 0: none.
  double temperatureBeta = 0, temperatureLength = 1, temperatureOffset = 0;

  double temperature(double position) const;
  std::span<const double> frequenciesOf(std::int64_t text) const;
};

// Rotations by given numbers of tokens: cosine and sine of each pair's angle.
class RotationSteps {
 public:
  using RowView = Eigen::Ref<const Eigen::RowVectorXd>;  // [head_dim]
  explicit RotationSteps(const PositionRotation& rotation) : m_rotation(rotation) {}
  // Rotations from position 0 to the position of each row.
  RotationSteps(const PositionRotation& rotation, const VectorRows& rows);
  void add(std::int64_t text, double tokens);
  void clear();
  // `moved` [head_dim], distinct from x: R(tokens) x, and R(-tokens) x.
  void apply(std::size_t step, const RowView& x, double* moved) const { turn(step, x, 1, moved); }
  void undo(std::size_t step, const RowView& x, double* moved) const { turn(step, x, -1, moved); }

 private:
  void turn(std::size_t step, const RowView& x, double direction, double* moved) const;
  const PositionRotation& m_rotation;
  std::vector<double> m_cosine, m_sine;  // [steps, pairs]
};

// R(-t) x for every row at its position t: the rows without RoPE. Keeps the query temperature.
Matrix unrotatedRows(const VectorRows& rows, const RotationSteps& steps);

}  // namespace plastiscope
