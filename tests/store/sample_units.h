#pragma once
// Units with values that are easy to compute by hand, and the metadata of their capture.
#include <cstring>

#include "core/base/half.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/capture/capture_unit.h"
#include "core/store/capture_file.h"
#include "core/store/unit_file.h"

namespace plastiscope::test {

// Layer 1: query heads 0 and 2 of 4, key heads 0 and 1 of 2; head_dim 2.
inline UnitLayout sampleLayout(bool half = true) {
  UnitLayout layout{{}, half};
  layout.blocks.push_back({1, QueryOrKey::Query, CapturePoint::PostRope, false, {0, 2}, 2});
  layout.blocks.push_back({1, QueryOrKey::Key, CapturePoint::PostRope, false, {0, 1}, 2});
  return layout;
}

inline float sampleValue(std::int64_t example, std::size_t block, std::size_t head, std::size_t i) {
  return static_cast<float>(100 * example + 40 * static_cast<std::int64_t>(block) +
                            20 * static_cast<std::int64_t>(head)) +
         static_cast<float>(i);
}

// Example e has e + 1 query rows and 2 key rows.
inline CaptureUnit sampleUnit(const UnitLayout& layout, std::int64_t example) {
  CaptureUnit unit;
  unit.example = example;
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
    UnitRows rows;
    const std::size_t count = b == 0 ? static_cast<std::size_t>(example) + 1 : 2;
    for (std::size_t r = 0; r < count; ++r) {
      rows.positions.push_back(static_cast<std::int32_t>(2 * r + b));
      rows.buckets.push_back(static_cast<std::int32_t>(r / 2));
    }
    for (std::size_t h = 0; h < layout.blocks[b].heads.size(); ++h) {
      std::vector<float> values;
      for (std::size_t i = 0; i < 2 * count; ++i) values.push_back(sampleValue(example, b, h, i));
      std::vector<std::uint16_t> halves(values.size());
      floatToHalf(values, halves);
      const auto bytes = layout.half ? std::as_bytes(std::span(halves)) : std::as_bytes(std::span(values));
      rows.heads.push_back({layout.half, {bytes.begin(), bytes.end()}});
    }
    unit.blocks.push_back(std::move(rows));
  }
  return unit;
}

// Scores of the two query heads of example e: 10 + e queries, sums e + head + 0.5 k of score k.
inline TextScores sampleScores(std::int64_t example) {
  TextScores scores{{static_cast<std::int32_t>(10 + example), 3, 5}, std::vector<ScoreSums>(2)};
  for (std::size_t head = 0; head < 2; ++head) {
    for (std::size_t k = 0; k < kHeadScores; ++k)
      scores.heads[head][k] =
          static_cast<double>(example) + static_cast<double>(head) + 0.5 * static_cast<double>(k);
  }
  return scores;
}

inline UnitFacts sampleFacts(std::int64_t example) {
  return {example, "text " + std::to_string(example), "hash"};
}

inline CaptureInfo sampleInfo(std::int64_t examples) {
  CaptureInfo info;
  info.programVersion = "0.0.1";
  info.created = "2026-01-31T12:00:00Z";
  info.settings = Json{{"window", 16}};
  info.settingsHash = sha256Hex(canonicalJson(info.settings));
  info.modelName = info.architecture = info.modelSource = info.fingerprint = "x";
  info.layers = 3;
  info.queryHeads = 4;
  info.keyHeads = 2;
  info.headDim = 2;
  info.window = 16;
  info.bucketSize = 4;
  info.sampler = "uniform";
  info.point = "post-rope";
  info.rope = info.config = Json::object();
  for (std::int64_t e = 0; e < examples; ++e)
    info.examples.push_back({"text " + std::to_string(e), e, 16, "s"});
  info.layerInfos = {{1, "full", 0, true, false, {0, 2}, {0, 1}, 0, 0}};
  return info;
}

}  // namespace plastiscope::test
