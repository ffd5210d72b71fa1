#include "tests/forward/golden_cases.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/support/temporary_folder.h"

namespace fs = std::filesystem;

namespace plastiscope::testing_support {

namespace {

const fs::path kData = fs::path(PLASTISCOPE_TEST_DATA) / "forward";

GoldenCase readCase(const Json& json) {
  GoldenCase golden;
  golden.name = json["name"];
  golden.weights = json["weights"];
  golden.tokens = json["tokens"];
  golden.offset = json["offset"];
  golden.positions = json["positions"].get<std::vector<std::int32_t>>();
  for (const std::string point : json["points"]) {
    golden.points.push_back(point == "post_rope" ? CapturePoint::PostRope : CapturePoint::PreRope);
  }
  golden.config = json["config"];
  golden.layers = json["layers"];
  return golden;
}

// Makes a Hugging Face folder of the case's configuration and weights.
void fillFolder(const fs::path& folder, const GoldenCase& golden) {
  std::ofstream(folder / "config.json") << golden.config.dump();
  for (const auto& entry : fs::directory_iterator(kData / golden.weights)) {
    fs::copy_file(entry.path(), folder / entry.path().filename());
  }
}

}  // namespace

std::vector<GoldenCase> goldenCases() {
  std::ifstream stream(kData / "cases.json");
  const Json all = Json::parse(stream);
  std::vector<GoldenCase> cases;
  for (const Json& json : all["cases"]) cases.push_back(readCase(json));
  return cases;
}

GoldenCase goldenCase(const std::string& name) {
  for (auto& golden : goldenCases()) {
    if (golden.name == name) return golden;
  }
  throw std::runtime_error("no golden case " + name);
}

std::shared_ptr<const Model> openGolden(const GoldenCase& golden) {
  if (golden.weights == "gguf") return openModel(kData / golden.name);
  const test::TemporaryFolder folder;  // the weights stay mapped after its deletion
  fillFolder(folder.path(), golden);
  auto model = std::make_shared<Model>(*openModel(folder.path()));
  for (std::size_t layer = 0; layer < model->spec.layers.size(); ++layer) {
    LayerSpec& spec = model->spec.layers[layer];
    if (golden.layers.contains("window")) spec.window = golden.layers["window"][layer];
    if (golden.layers.contains("rope")) spec.rope = golden.layers["rope"][layer];
  }
  return model;
}

std::string testDevice() {
  const char* const chosen = std::getenv("PLASTISCOPE_TEST_DEVICE");
  return chosen != nullptr ? chosen : "cpu";
}

std::int64_t testTokens(std::int64_t all) {
  constexpr std::int64_t kShort = 4200;  // beyond 4,096 tokens some families rotate differently
  return std::getenv("PLASTISCOPE_TEST_SHORT") != nullptr ? std::min(all, kShort) : all;
}

std::vector<std::int32_t> goldenTokens(std::int64_t count) {
  std::vector<std::int32_t> tokens;
  std::uint64_t state = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    state = (1103515245 * state + 12345) % (std::uint64_t{1} << 31);
    tokens.push_back(static_cast<std::int32_t>((state >> 16) % 97));
  }
  return tokens;
}

KeepingSink::KeepingSink(const ModelSpec& spec, std::vector<std::int32_t> positions,
                         std::vector<CapturePoint> points)
    : m_queryHeads(spec.queryHeads),
      m_layers(spec.layers),
      m_positions(std::move(positions)),
      m_points(std::move(points)) {}

std::vector<std::int32_t> KeepingSink::heads(std::int64_t layer, QueryOrKey kind) const {
  const auto chosen = chosenHeads.find(kind);
  if (chosen != chosenHeads.end()) return chosen->second;
  const std::int64_t keyHeads = m_layers.at(layer).keyHeads;
  std::vector<std::int32_t> all(
      static_cast<std::size_t>(kind == QueryOrKey::Query ? m_queryHeads : keyHeads));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
  return all;
}

std::vector<std::int32_t> KeepingSink::positions(std::int64_t, QueryOrKey kind, std::int64_t) const {
  const auto chosen = chosenPositions.find(kind);
  return chosen != chosenPositions.end() ? chosen->second : m_positions;
}

bool KeepingSink::wants(CapturePoint point) const {
  return std::find(m_points.begin(), m_points.end(), point) != m_points.end();
}

void KeepingSink::take(std::int64_t layer, QueryOrKey kind, CapturePoint point, std::int64_t example,
                       std::span<const float> vectors) {
  const RowKey key{layer, kind, point, example};
  rows[key].assign(vectors.begin(), vectors.end());
  order.push_back(key);
}

void runGroup(const std::shared_ptr<const Model>& model, const std::vector<TokenSequence>& group,
              QkSink& sink, const ForwardOptions& options, std::int64_t lastLayer) {
  const std::int64_t last = lastLayer < 0 ? model->spec.layerCount - 1 : lastLayer;
  Progress progress;
  GroupWatch nobody;
  makeForwardRunner(model, last, options)->run(group, sink, progress, nobody);
}

double largestRelativeError(std::span<const float> x, std::span<const float> y, std::int64_t width) {
  if (x.size() != y.size()) throw std::runtime_error("different numbers of values");
  const auto step = static_cast<std::size_t>(width);
  double largest = 0;
  for (std::size_t first = 0; first + step <= x.size(); first += step) {
    double difference = 0, norm = 0;
    for (std::size_t i = first; i < first + step; ++i) {
      difference += std::pow(static_cast<double>(x[i]) - static_cast<double>(y[i]), 2);
      norm += std::pow(static_cast<double>(y[i]), 2);
    }
    const double error = std::sqrt(difference / norm);
    if (!(error <= largest)) largest = error;  // also takes over a missing value
  }
  return largest;
}

std::vector<float> readFloats(const fs::path& file, std::int64_t first, std::int64_t count) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(first * 4);
  std::vector<float> values(static_cast<std::size_t>(count));
  if (!stream.read(reinterpret_cast<char*>(values.data()), count * 4)) {
    throw std::runtime_error(file.string() + " is too short");
  }
  return values;
}

}  // namespace plastiscope::testing_support
