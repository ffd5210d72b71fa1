// The real SmolLM2-135M: queries and keys of all 30 layers over 8,000 tokens equal those of transformers with
// the same file (tests/data/forward/make_smollm2_reference.py). Skipped where the file is not there.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "tests/forward/golden_cases.h"

namespace fs = std::filesystem;

namespace plastiscope {

using namespace testing_support;

namespace {

const fs::path kData = fs::path(PLASTISCOPE_TEST_DATA) / "forward";

// PLASTISCOPE_SMOLLM2, else the file that packaging/test.sh fetches; "" when there is none.
fs::path modelFile() {
  if (const char* named = std::getenv("PLASTISCOPE_SMOLLM2")) return named;
  const fs::path folder = fs::path(PLASTISCOPE_SOURCE) / "build" / "models";
  if (!fs::is_directory(folder)) return {};
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".gguf") return entry.path();
  }
  return {};
}

std::vector<std::int32_t> readTokens(std::size_t count) {
  std::vector<std::uint8_t> bytes(2 * count);
  std::ifstream stream(kData / "smollm2_tokens.u16", std::ios::binary);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  std::vector<std::int32_t> tokens(count);
  for (std::size_t i = 0; i < count; ++i) tokens[i] = bytes[2 * i] + 256 * bytes[2 * i + 1];
  return tokens;
}

}  // namespace

TEST(SmolLm2, EqualsTransformersInEveryLayerOver8000Tokens) {
  const fs::path file = modelFile();
  if (file.empty()) {
    GTEST_SKIP()
        << "SmolLM2-135M-Instruct.Q4_1.gguf is not here: packaging/test.sh fetches it into build/models, or "
           "set PLASTISCOPE_SMOLLM2 to it";
  }
  std::ifstream stream(kData / "smollm2.json");
  const Json about = Json::parse(stream);
  const auto positions = about["positions"].get<std::vector<std::int32_t>>();
  const auto tokens = about["tokens"].get<std::int64_t>();
  const auto model = openModel(file);
  KeepingSink sink(model->spec, positions, {CapturePoint::PostRope});
  ForwardOptions options;
  options.device = "cpu";
  options.dtype = "float32";
  const auto need =
      forwardCost(model->spec, {tokens}, model->spec.layerCount - 1, resolveDevice(*model, options), options);
  runGroup(model, {{0, readTokens(static_cast<std::size_t>(tokens))}}, sink, options);

  std::int64_t offset = 0;
  for (std::int64_t layer = 0; layer < model->spec.layerCount; ++layer) {
    for (const auto kind : {VectorKind::Query, VectorKind::Key}) {
      const std::int64_t heads = kind == VectorKind::Query ? model->spec.queryHeads : model->spec.keyHeads;
      const auto count = heads * static_cast<std::int64_t>(positions.size()) * model->spec.headDim;
      const auto expected = readFloats(kData / "smollm2_reference.f32", offset, count);
      const auto& rows = sink.rows.at({layer, kind, CapturePoint::PostRope, 0});
      const double error = largestRelativeError(rows, expected, model->spec.headDim);
      std::printf("layer %2d %-5s largest relative error %.2e\n", static_cast<int>(layer),
                  nameOf(kind).data(), error);
      EXPECT_LE(error, 1e-3) << nameOf(kind) << " of layer " << layer;
      offset += count;
    }
  }
#if !defined(__SANITIZE_ADDRESS__)
  std::printf("peak memory %s, predicted %s\n", byteText(peakResidentBytes()).c_str(),
              byteText(need.peakBytes).c_str());
  EXPECT_LE(peakResidentBytes(), need.peakBytes);
  EXPECT_LE(static_cast<double>(need.peakBytes), 1.5 * static_cast<double>(peakResidentBytes()));
#endif
}

}  // namespace plastiscope
