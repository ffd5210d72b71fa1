#pragma once
// A model opened for capture: its spec, its weights, and which tensor plays which part.
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_spec.h"
#include "core/model/tensor_role.h"
#include "core/weights/tensor_source.h"

namespace plastiscope {

// How the numbers of a tensor lie in the file, where it is not row by row as [out, in].
enum class TensorLayout {
  Plain,
  Transposed,   // every matrix lies [in, out]
  Alternating,  // as Transposed, and gate and up alternate: columns of matrices, entries of biases
};

// So many rows of a tensor (0: all that follow) and what they are multiplied by.
struct RowScale {
  std::int64_t rows = 0;
  double factor = 1;
};

// A tensor of the file bound to a part, with what must be undone on reading.
struct BoundTensor {
  TensorInfo info;  // first expert's when each has a tensor of its own
  // > 0: rows are GGUF-permuted per head of `permutedHeads` heads (neighbouring pairs); reading restores the
  // rotate-half order of the original weights.
  std::int64_t permutedHeads = 0;
  TensorLayout layout = TensorLayout::Plain;
  float offset = 0;                   // added to every number
  std::vector<RowScale> scales;       // of its rows in order
  std::vector<TensorInfo> perExpert;  // one tensor for each expert, else empty
  std::vector<std::int64_t> shape;  // as the forward pass sees it: [out, in]; with experts [experts, out, in]
  // Numbers of a row: of a matrix, whatever stands in front of it; of a vector one.
  std::int64_t columns() const {
    const std::vector<std::int64_t>& sizes = shape.empty() ? info.shape : shape;
    return sizes.size() < 2 ? 1 : sizes.back();
  }
  // Whether its matrices lie [in, out] in the file.
  bool liesAcross() const { return layout != TensorLayout::Plain && shape.size() == 3; }
  // Rows that must be read together.
  std::int64_t rowsTogether() const {
    if (permutedHeads > 0) return info.shape.front() / permutedHeads;
    return liesAcross() ? shape[1] : 1;
  }
  bool isPlain() const {
    return permutedHeads == 0 && layout == TensorLayout::Plain && offset == 0 && scales.empty();
  }
};

struct Model {
  ModelSpec spec;
  std::shared_ptr<const TensorSource> weights;
  std::filesystem::path path;  // folder or .gguf file
  std::string root;            // what stands before the names of tensors that are no layer's: "model."
  BoundTensor embedding;       // [vocabulary, hidden]
  std::map<TensorRole, BoundTensor> besideLayers;  // further tensors of the whole model
  std::vector<std::map<TensorRole, BoundTensor>> layers;
  std::string fingerprint;  // SHA-256 of configuration and tensor directory
  std::string weightTypes;  // "BF16" or "Q4_1 (F32, Q6_K)": the most bytes first
  std::uint64_t weightBytes = 0;
  std::vector<std::string> warnings;  // where the weights contradict the configuration
  std::vector<std::string> notes;     // e.g. "q and k rows restored from GGUF order", ignored tensors

  // Whole tensor as float32 in the order of BoundTensor::shape, what the file does differently undone.
  // out.size() == elements.
  void read(const BoundTensor& tensor, std::span<float> out) const;
  // The same of as many rows as `out` has numbers for, from `firstRow` of all matrices on: whole multiples of
  // rowsTogether().
  void readRows(const BoundTensor& tensor, std::int64_t firstRow, std::span<float> out) const;
  // Of one matrix of a tensor that liesAcross(), which has neither offset nor scales: columns from
  // `firstColumn` on, one after the other, as many as `out` has room for.
  void readColumns(const BoundTensor& tensor, std::int64_t matrix, std::int64_t firstColumn,
                   std::span<float> out) const;
  // Rows [first, first + rows) of the embedding.
  void readEmbeddingRow(std::int64_t token, std::span<float> out) const;
};

// Reads the configuration only (for cards and estimates): folder with config.json or GGUF file.
// InputError: missing, damaged, unknown architecture / RoPE kind / quantisation (with the known names).
ModelSpec readModelSpec(const std::filesystem::path& path);

// Opens the whole model; tensors of its layers that are missing, unused or mis-shaped are reported all
// together. `ropeOverride` (JSON object, may be null) replaces RoPE settings and is validated like the
// configuration's own. `followLinks`: also links of other users.
std::shared_ptr<const Model> openModel(const std::filesystem::path& path, const JsonValue& ropeOverride = {},
                                       bool followLinks = false);

// Reads all weights of the decoder, with `output` those of losses as well. InputError names the first tensor
// with a value that is not a finite number.
void refuseWeightsNotFinite(const Model& model, bool output);

// A path stays a path; anything else is looked up as the name of a cached model (discovery.h). InputError
// lists near names.
std::filesystem::path resolveModelPath(const std::string& nameOrPath);

}  // namespace plastiscope
