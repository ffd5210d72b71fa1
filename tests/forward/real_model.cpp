#include "tests/forward/real_model.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/forward/golden_cases.h"

namespace fs = std::filesystem;

namespace plastiscope::testing_support {

namespace {
const fs::path kRealData = fs::path(PLASTISCOPE_TEST_DATA) / "forward";
}

fs::path weightsOf(const RealModel& model) {
  if (const char* named = std::getenv(model.variable.c_str())) return named;
  const fs::path file = fs::path(PLASTISCOPE_SOURCE) / "build" / "models" / model.fileName;
  return fs::exists(file) ? file : fs::path();
}

Json factsOf(const RealModel& model) {
  std::ifstream stream(kRealData / (model.data + ".json"));
  return Json::parse(stream);
}

std::vector<std::int32_t> tokensOf(const RealModel& model, std::size_t count) {
  std::vector<std::uint8_t> bytes(model.tokenBytes * count);
  const std::string ending = ".u" + std::to_string(8 * model.tokenBytes);
  std::ifstream stream(kRealData / (model.data + "_tokens" + ending), std::ios::binary);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  std::vector<std::int32_t> tokens(count);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    tokens[i / model.tokenBytes] |= static_cast<std::int32_t>(bytes[i]) << (8 * (i % model.tokenBytes));
  return tokens;
}

void expectTransformersVectors(const RealModel& real, double limit) {
  const Json about = factsOf(real);
  const auto positions = about["positions"].get<std::vector<std::int32_t>>();
  const auto model = openModel(weightsOf(real));
  KeepingSink sink(model->spec, positions, {CapturePoint::PostRope});
  ForwardOptions options;
  options.device = testDevice();
  options.dtype = "float32";
  runGroup(model, {{0, tokensOf(real, about["tokens"].get<std::size_t>())}}, sink, options);

  std::int64_t offset = 0;
  for (std::int64_t layer = 0; layer < model->spec.layerCount; ++layer) {
    for (const auto kind : {QueryOrKey::Query, QueryOrKey::Key}) {
      const std::int64_t heads = kind == QueryOrKey::Query ? model->spec.queryHeads : model->spec.keyHeads;
      const auto count = heads * std::ssize(positions) * model->spec.headDim;
      const auto expected = readFloats(kRealData / (real.data + "_reference.f32"), offset, count);
      const auto& rows = sink.rows.at({layer, kind, CapturePoint::PostRope, 0});
      const double error = largestRelativeError(rows, expected, model->spec.headDim);
      std::printf("layer %2d %-5s largest relative error %.2e\n", static_cast<int>(layer),
                  nameOf(kind).data(), error);
      EXPECT_LE(error, limit) << nameOf(kind) << " of layer " << layer;
      offset += count;
    }
  }
}

}  // namespace plastiscope::testing_support
