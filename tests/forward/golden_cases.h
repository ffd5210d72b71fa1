#pragma once
// The golden cases of tests/data/forward and a sink that stores all vectors.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/forward/forward.h"

namespace plastiscope::testing_support {

// One case of cases.json (see make_models.py).
struct GoldenCase {
  std::string name, weights;
  std::int64_t tokens = 0, offset = 0;
  std::vector<std::int32_t> positions;
  std::vector<CapturePoint> points;
  Json config, layers;
};

inline void PrintTo(const GoldenCase& golden, std::ostream* out) {
  *out << golden.name;
}

std::vector<GoldenCase> goldenCases();
GoldenCase goldenCase(const std::string& name);

// Opens the case's model; Hugging Face folders are put together in a temporary one.
std::shared_ptr<const Model> openGolden(const GoldenCase& golden);

// Device of the tests: PLASTISCOPE_TEST_DEVICE, e.g. "cuda", or the CPU.
std::string testDevice();
// Tokens used of a family's long text: all, or with PLASTISCOPE_TEST_SHORT (where profilers or sanitizers
// slow down each token) only the first ones, whose vectors do not depend on later tokens.
std::int64_t testTokens(std::int64_t all);

// Skips tests that compare bits: a GPU rounds differently for different numbers of rows.
#define SKIP_WHERE_ROWS_DECIDE_BITS() \
  if (testing_support::testDevice() != "cpu") GTEST_SKIP() << "not on " << testing_support::testDevice()

// The tokens that the generator used.
std::vector<std::int32_t> goldenTokens(std::int64_t count);

struct RowKey {
  std::int64_t layer = 0;
  QueryOrKey kind = QueryOrKey::Query;
  CapturePoint point = CapturePoint::PostRope;
  std::int64_t example = 0;
  auto operator<=>(const RowKey&) const = default;
};

// Wants all heads of all layers (unless narrowed) at the given positions.
class KeepingSink : public QkSink {
 public:
  KeepingSink(const ModelSpec& spec, std::vector<std::int32_t> positions, std::vector<CapturePoint> points);
  std::vector<std::int32_t> heads(std::int64_t layer, QueryOrKey kind) const override;
  std::vector<std::int32_t> positions(std::int64_t layer, QueryOrKey kind,
                                      std::int64_t example) const override;
  bool wants(CapturePoint point) const override;
  void take(std::int64_t layer, QueryOrKey kind, CapturePoint point, std::int64_t example,
            std::span<const float> vectors) override;

  // Fewer heads and other positions for one kind.
  std::map<QueryOrKey, std::vector<std::int32_t>> chosenHeads, chosenPositions;
  std::map<RowKey, std::vector<float>> rows;
  std::vector<RowKey> order;

 private:
  std::int64_t m_queryHeads;
  std::vector<LayerSpec> m_layers;
  std::vector<std::int32_t> m_positions;
  std::vector<CapturePoint> m_points;
};

// Runs the group through layers 0..lastLayer (-1: all).
void runGroup(const std::shared_ptr<const Model>& model, const std::vector<TokenSequence>& group,
              QkSink& sink, const ForwardOptions& options = {}, std::int64_t lastLayer = -1);

// |x - y| / |y| of every vector of `width` numbers; the largest of them.
double largestRelativeError(std::span<const float> x, std::span<const float> y, std::int64_t width);

// Little-endian float32 numbers of a file of the test data.
std::vector<float> readFloats(const std::filesystem::path& file, std::int64_t first, std::int64_t count);

}  // namespace plastiscope::testing_support
