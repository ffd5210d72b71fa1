#pragma once
// A model of the thesis as a study for comparisons: published numbers without heads. `input`:
// "published:qwen3-0.6b" (publishedInput). UsageError names the nearest model.
#include <memory>
#include <string>
#include <vector>

#include "core/compare/reference_data.h"
#include "core/views/study.h"

namespace plastiscope {

// `input`: "published:qwen3-0.6b" (publishedInput). UsageError names the nearest model.
std::shared_ptr<const Study> publishedStudy(const std::string& input);

// The published atlas: the thirteen models of the thesis, then the checkpoints of SmolLM3.
struct AtlasEntry {
  ReferenceModel model;
  std::vector<std::string> shown;  // "profile", "quintiles", "map", "numbers": what is published of it
};
std::vector<AtlasEntry> publishedAtlas();

}  // namespace plastiscope
