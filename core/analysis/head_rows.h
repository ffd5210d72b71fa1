#pragma once
// Input rows of the analysis of one head, independent of the file format, and the choice of rows used.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/matrix.h"
#include "core/base/query_or_key.h"

namespace plastiscope {

// Query or key rows of one head, all finite.
struct VectorRows {
  Matrix vectors;  // [rows, head_dim]
  // [rows]; example: index in the capture's order of examples.
  std::vector<std::int64_t> position, example;

  std::int64_t rows() const { return vectors.rows(); }
  std::int64_t headDim() const { return vectors.cols(); }
};

// A row left out because it has a value that is not finite (method.md, Rows used).
struct DroppedRow {
  std::int64_t example = 0, position = 0;
};

struct RawRows {
  std::int64_t headDim = 0;
  std::span<const float> vectors;                   // [rows, head_dim]
  std::span<const std::int32_t> position, example;  // [rows]
};

// Converts to float64 and leaves out rows that are not finite, listed in `dropped`.
VectorRows finiteRows(const RawRows& raw, std::vector<DroppedRow>& dropped);

struct PositionRotation;

struct HeadId {
  std::int64_t layer = 0, head = 0, kvHead = 0;
  std::string attention = "full";  // full, sliding, cross
  bool rope = true;
  std::int64_t attentionWindow = 0;  // tokens; 0 = none
  // Rotation of the layer with position; null: not known, and the reason.
  std::shared_ptr<const PositionRotation> rotation = nullptr;
  std::string rotationUnknown = "the RoPE settings of the layer are not known";
};

// Facts that all heads of a capture share.
struct CaptureFrame {
  std::int64_t window = 0;                    // L, tokens
  std::int64_t bucketSize = 0;                // B as given, tokens
  bool logBuckets = false;                    // sampler log_uniform
  double scoreScale = 0;                      // 0 = not known: 1 / sqrt(head_dim)
  std::int64_t alignedBins = 32;              // of aligned values with bins = density
  std::vector<std::int64_t> textTokens = {};  // [examples] lengths of the texts; empty: not known
};

// The rows with these indices, in that order, repeats included.
VectorRows rowsAt(const VectorRows& rows, std::span<const std::int64_t> which);

// Keeps the first of several rows at one (example, position) (method.md, Rows used). `left` counts the
// others.
VectorRows withoutRepeats(VectorRows rows, std::int64_t& left);

// Setting max_rows: a random subset of `most` rows (0 = any number), in stored order. Floyd's method draws
// the ranks of the rows as stored, with the generator state chain(seed, layer, head, kind) (method.md, Random
// numbers). `head` is the query head for queries and the key head for keys.
struct RowDraw {
  std::int64_t most = 0;
  std::uint64_t seed = 0;
  std::int64_t layer = 0, head = 0;
  QueryOrKey kind = QueryOrKey::Query;
};
VectorRows subsampledRows(VectorRows rows, const RowDraw& draw);

}  // namespace plastiscope
