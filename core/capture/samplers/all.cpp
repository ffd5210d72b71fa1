#include "core/capture/samplers/samplers.h"

namespace plastiscope {

namespace {

SampledRows sampleAll(const SamplerSettings& settings, std::uint64_t /*seed*/, std::int64_t length) {
  SampledRows rows;
  for (std::int64_t t = 0; t < length; ++t) {
    rows.positions.push_back(static_cast<std::int32_t>(t));
    rows.buckets.push_back(static_cast<std::int32_t>(t / settings.bucketSize));
  }
  return rows;
}

double expectedRowsAll(const SamplerSettings&, std::int64_t length) {
  return static_cast<double>(length);
}

}  // namespace

const PositionSampler kAllSampler = {"all", "every token", sampleAll, expectedRowsAll};

}  // namespace plastiscope
