#pragma once
// Attributes of a capture and its model, with names and order of the file (resources/help/capture-format.md).
// This list is used to write, read, compare and show them. A visitor takes (name, value, limits) with values
// of type std::string, std::int64_t, double and JsonValue.
#include <cstdint>
#include <limits>

#include "core/store/capture_file.h"
#include "core/store/schema.h"

namespace plastiscope {

struct FieldLimits {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  bool required = true;  // false: missing in older files; an unknown number is 0 and not written
};
inline constexpr std::int64_t kMaxLayers = 100000, kMaxHeads = 100000, kMaxHeadDim = 1 << 20,
                              kMaxContext = std::int64_t{1} << 40, kMaxPositions = 2147483647;

template <typename Info, typename Visit>
void visitModelFields(Info& info, const Visit& visit) {
  visit("name", info.modelName, FieldLimits{});
  visit("architecture", info.architecture, FieldLimits{});
  visit("source", info.modelSource, FieldLimits{});
  visit(schema::kFingerprint, info.fingerprint, FieldLimits{});
  visit("layers", info.layers, FieldLimits{1, kMaxLayers});
  visit("query_heads", info.queryHeads, FieldLimits{1, kMaxHeads});
  visit(schema::kKeyHeads, info.keyHeads, FieldLimits{1, info.queryHeads});
  visit(schema::kHeadDim, info.headDim, FieldLimits{1, kMaxHeadDim});
  visit("rope", info.rope, FieldLimits{});
  visit("context_length", info.contextLength, FieldLimits{0, kMaxContext});
  visit("config", info.config, FieldLimits{});
  visit("without_vectors", info.withoutVectors, FieldLimits{.required = false});
}

template <typename Info, typename Visit>
void visitCaptureFields(Info& info, const Visit& visit) {
  visit("window", info.window, FieldLimits{1, kMaxPositions});
  visit("sampler", info.sampler, FieldLimits{});
  visit("bucket_size", info.bucketSize, FieldLimits{1, kMaxPositions});
  visit("rate", info.rate, FieldLimits{});
  visit("head_seed", info.headSeed, FieldLimits{});
  visit("point", info.point, FieldLimits{});
  visit("compute_dtype", info.computeDtype, FieldLimits{});
  visit("device", info.device, FieldLimits{});
  visit("score_scale", info.scoreScale, FieldLimits{});
  visit(schema::kTrainedContext, info.trainedContext, FieldLimits{0, kMaxContext, false});
}

// The fields as JSON objects.
Json modelFieldsJson(const CaptureInfo& info);
Json captureFieldsJson(const CaptureInfo& info);

}  // namespace plastiscope
