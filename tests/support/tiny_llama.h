#pragma once
// Writes a tiny Llama folder: config.json and model.safetensors with fixed pseudo-random weights.
// For tests of files and runs; numerical tests use the references by transformers in tests/data.
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace plastiscope::test {

struct TinyLlama {
  std::int64_t layers = 2, hidden = 32, intermediate = 48, queryHeads = 4, keyHeads = 2, vocabulary = 64;
  Json config;  // as config.json will be written; change it before writing
  // Tensor name -> shape; remove or change entries to break the model.
  std::map<std::string, std::vector<std::int64_t>> tensors;

  TinyLlama();
  // Writes config.json and model.safetensors into `folder` (made if need be).
  void write(const std::filesystem::path& folder) const;
  // The safetensors file alone; `editHeader` may change the JSON header before it is written.
  std::string safetensors(const std::function<void(Json&)>& editHeader = {}) const;
};

// A token file with `examples` examples of `tokens` ids below `vocabulary`.
void writeTokenFile(const std::filesystem::path& file, int examples, int tokens,
                    std::int64_t vocabulary = 64);

}  // namespace plastiscope::test
