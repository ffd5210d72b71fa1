// Tensors that are read in pieces: every tensor of every tiny model, in either container.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/model/model.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> tinyModels() {
  std::vector<fs::path> models = {testData("model/tiny.gguf"), testData("forward/llama3.gguf")};
  for (const auto& folder : fs::directory_iterator(testData("families"))) {
    if (fs::exists(folder.path() / "model.safetensors")) models.push_back(folder.path());
    if (fs::exists(folder.path() / "model.gguf")) models.push_back(folder.path() / "model.gguf");
  }
  std::sort(models.begin(), models.end());
  return models;
}

std::int64_t elementsOf(const BoundTensor& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t size : tensor.shape) elements *= size;
  return elements;
}

TEST(ReadRows, PiecesAreThoseOfTheWholeTensor) {
  std::int64_t cut = 0, heads = 0, layouts = 0, scales = 0, experts = 0;
  for (const fs::path& path : tinyModels()) {
    const auto model = openModel(path);
    for (const auto& layer : model->layers) {
      for (const auto& [role, tensor] : layer) {
        std::vector<float> whole(static_cast<std::size_t>(elementsOf(tensor))), pieces(whole.size());
        model->read(tensor, whole);
        const auto together = static_cast<std::size_t>(tensor.columns() * tensor.rowsTogether());
        // Three of the least pieces at a time, so that the last piece is often a shorter one.
        for (std::size_t first = 0; first < pieces.size(); first += 3 * together) {
          const std::size_t count = std::min(3 * together, pieces.size() - first);
          model->readRows(tensor, static_cast<std::int64_t>(first) / tensor.columns(),
                          std::span(pieces).subspan(first, count));
        }
        ASSERT_EQ(pieces, whole) << path << " " << tensor.info.name;
        cut += whole.size() > 3 * together ? 1 : 0;
        heads += tensor.permutedHeads > 0 ? 1 : 0;
        layouts += tensor.layout != TensorLayout::Plain ? 1 : 0;
        scales += tensor.scales.empty() ? 0 : 1;
        experts += tensor.perExpert.empty() ? 0 : 1;
      }
    }
  }
  for (const std::int64_t seen : {cut, heads, layouts, scales, experts}) EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace plastiscope::test
