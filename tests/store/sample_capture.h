#pragma once
// A small capture in memory with simple values: vectors[row][i] = base + row + i / 100.
#include <cstring>
#include <map>

#include "core/base/half.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/store/capture_writer.h"

namespace plastiscope::test {

class SampleCapture : public CaptureContent {
 public:
  explicit SampleCapture(std::string point = "post-rope", bool half = true) : m_half(half) {
    m_info.programVersion = "0.0.1";
    m_info.created = "2026-01-31T12:00:00Z";
    m_info.settings = Json{{"window", 8}, {"name", "Grüße"}};
    m_info.settingsHash = sha256Hex(canonicalJson(m_info.settings));
    m_info.modelName = "tiny";
    m_info.architecture = "llama";
    m_info.modelSource = "tiny-model";
    m_info.fingerprint = std::string(64, 'a');
    m_info.layers = 12;
    m_info.queryHeads = 4;
    m_info.keyHeads = 2;
    m_info.headDim = 4;
    m_info.contextLength = 128;
    m_info.rope = Json{{"kind", "default"}};
    m_info.config = Json{{"hidden_size", 16}};
    m_info.window = 8;
    m_info.bucketSize = 4;
    m_info.sampler = "uniform";
    m_info.point = std::move(point);
    m_info.computeDtype = "float32";
    m_info.device = "cpu";
    m_info.rate = 1;
    m_info.scoreScale = 0.5;
    m_info.headSeed = 7;
    m_info.examples = {{"17", 17, 8, sha256Hex("one")}, {"a b", -5, 5, sha256Hex("two")}};
    m_info.layerInfos = {{2, "full", 0, true, false, {1, 2}, {0, 1}, 0, 0},
                         {11, "sliding", 6, false, true, {3}, {1}, 0, 0}};
  }

  CaptureInfo& editable() { return m_info; }
  // First values of these heads, for example float16 overflow or NaN.
  std::map<std::int64_t, float> firstValue;

  const CaptureInfo& info() const override { return m_info; }
  RowIndex index(std::int64_t, RowSet set) const override {
    if (set == RowSet::Query || set == RowSet::QueryPreRope) return {{1, 6, 0}, {0, 0, 1}, {0, 1, 0}};
    return {{3, 2, 4}, {0, 1, 1}, {0, 0, 1}};
  }
  Storage storage(const RowPlace& place) const override {
    const std::int64_t head = place.head;
    const bool overflowed = firstValue.contains(head) && m_half && firstValue.at(head) > kHalfMax;
    return {m_half && !overflowed, overflowed};
  }
  std::vector<float> values(std::int64_t layer, RowSet set, std::int64_t head) const {
    std::vector<float> all;
    const auto base = static_cast<float>(10 * layer + 10 * head) + static_cast<float>(set) * 0.5f;
    for (int row = 0; row < 3; ++row) {
      for (int i = 0; i < 4; ++i)
        all.push_back(base + static_cast<float>(row) + static_cast<float>(i) * 0.25f);
    }
    if (firstValue.contains(head)) all[0] = firstValue.at(head);
    return all;
  }
  void vectors(const RowPlace& place,
               const std::function<void(std::span<const std::byte>)>& block) const override {
    const std::vector<float> all = values(place.layer, place.set, place.head);
    if (!storage(place).half) return block(std::as_bytes(std::span(all)));
    std::vector<std::uint16_t> halves(all.size());
    floatToHalf(all, halves);
    block(std::as_bytes(std::span(halves).first(4)));  // in two blocks
    block(std::as_bytes(std::span(halves).subspan(4)));
  }

 private:
  CaptureInfo m_info;
  bool m_half;
};

}  // namespace plastiscope::test
