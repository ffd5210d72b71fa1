#pragma once
// A capture in memory for tests of the analysis: random heads, two query heads per KV head.
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "core/base/error.h"
#include "core/store/capture_file.h"

namespace plastiscope::test {

class MemoryCapture : public CaptureFile {
 public:
  MemoryCapture() {
    m_info.modelName = "random";
    m_info.architecture = "llama";
    m_info.fingerprint = "f";
    m_info.settingsHash = "s";
    m_info.layers = 6;
    m_info.queryHeads = 4;
    m_info.keyHeads = 2;
    m_info.headDim = 8;
    m_info.window = 2048;
    m_info.bucketSize = 128;
    m_info.sampler = "uniform";
    m_info.scoreScale = 0.25;
    m_info.examples.resize(5);
    for (std::size_t e = 0; e < 5; ++e) m_info.examples[e].id = "text " + std::to_string(e);
    m_info.layerInfos = {{1, "full", 0, true, false, {0, 1, 3}, {0, 1}, kQueryRows, kKeyRows},
                         {4, "sliding", 500, false, false, {2}, {1}, kQueryRows, kKeyRows}};
  }
  static constexpr std::int64_t kQueryRows = 420, kKeyRows = 380;

  CaptureInfo& editable() { return m_info; }
  // Position of one row instead of its own.
  std::map<std::int64_t, std::int32_t> positionOfRow;
  // Rows of the queries of L1H3 and of the keys of KV head 0 whose first number is not finite.
  std::vector<std::size_t> brokenQueries, brokenKeys;

  const CaptureInfo& info() const override { return m_info; }
  const std::filesystem::path& path() const override { return m_path; }
  CapturedRows rows(const RowPlace& place) const override {
    const auto& [layer, head, set] = place;
    const bool query = set == RowSet::Query;
    const std::int64_t count = query ? kQueryRows : kKeyRows;
    std::mt19937 generator(static_cast<unsigned>(1000 * layer + 10 * head + (query ? 1 : 0)));
    std::normal_distribution<float> normal;
    CapturedRows rows;
    rows.headDim = m_info.headDim;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto t = static_cast<std::int32_t>((i * (query ? 1009 : 1201) + layer) % 2048);
      rows.position.push_back(positionOfRow.contains(i) ? positionOfRow.at(i) : t);
      rows.example.push_back(static_cast<std::int32_t>(i * 5 / count));
      rows.bucket.push_back(t / 128);
      for (std::int64_t c = 0; c < rows.headDim; ++c) {
        rows.vectors.push_back(normal(generator) + 0.5f * static_cast<float>(c) +
                               static_cast<float>(t) / 1000);
      }
    }
    const bool broken = layer == 1 && head == (query ? 3 : 0);
    for (const std::size_t row : query ? brokenQueries : brokenKeys) {
      if (broken)
        rows.vectors[row * static_cast<std::size_t>(rows.headDim)] = std::numeric_limits<float>::infinity();
    }
    return rows;
  }

 private:
  CaptureInfo m_info;
  std::filesystem::path m_path = "folder/random.h5";
};

}  // namespace plastiscope::test
