#include <algorithm>
#include <cmath>

#include "core/capture/samplers/samplers.h"

namespace plastiscope {

namespace {

std::size_t rowsPerBucket(const SamplerSettings& settings) {
  return static_cast<std::size_t>(std::clamp(std::floor(settings.rate + 0.5), 1.0, 1e9));
}

struct Drawn {
  float number;
  std::int32_t position;
  auto operator<=>(const Drawn&) const = default;
};

SampledRows sampleExactPerBucket(const SamplerSettings& settings, std::uint64_t seed, std::int64_t length) {
  const std::size_t wanted = rowsPerBucket(settings);
  TokenNumbers numbers(seed);
  SampledRows rows;
  std::vector<Drawn> bucket;
  for (std::int64_t start = 0; start < length; start += settings.bucketSize) {
    const std::int64_t end = std::min(length, start + settings.bucketSize);
    bucket.clear();
    for (std::int64_t t = start; t < end; ++t)
      bucket.push_back({numbers.next(), static_cast<std::int32_t>(t)});
    if (bucket.size() > wanted) {
      const auto last = bucket.begin() + static_cast<std::ptrdiff_t>(wanted);
      std::nth_element(bucket.begin(), last, bucket.end());
      bucket.erase(last, bucket.end());
    }
    std::sort(bucket.begin(), bucket.end(),
              [](const Drawn& a, const Drawn& b) { return a.position < b.position; });
    for (const Drawn& kept : bucket) {
      rows.positions.push_back(kept.position);
      rows.buckets.push_back(static_cast<std::int32_t>(start / settings.bucketSize));
    }
  }
  return rows;
}

double expectedRowsExactPerBucket(const SamplerSettings& settings, std::int64_t length) {
  const auto wanted = static_cast<std::int64_t>(rowsPerBucket(settings));
  return static_cast<double>(length / settings.bucketSize * std::min(wanted, settings.bucketSize) +
                             std::min(wanted, length % settings.bucketSize));
}

}  // namespace

const PositionSampler kExactPerBucketSampler = {
    "exact_per_bucket", "exactly round(rate) tokens of each bucket", sampleExactPerBucket, expectedRowsExactPerBucket};

}  // namespace plastiscope
