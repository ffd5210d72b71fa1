#pragma once
// The tiny models of tests/data/families and the results of transformers for them (make_families.py).
#include <cstdint>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "core/model/model.h"

namespace plastiscope::testing_support {

struct FamilyLayer {
  std::string attention;
  std::int64_t window = 0;
  bool rope = true, hasVectors = false;
  std::int64_t queryHeads = 0, keyHeads = 0, headDim = 0;
  std::int64_t query = 0, key = 0;  // first number in reference.f32
};

// Error of transformers' bfloat16 run against its float32 run: mean over all positions of a short text.
struct FamilyHalfRun {
  std::int64_t tokens = 0;
  double queryError = 0, keyError = 0;
};

struct FamilyCase {
  std::string name;
  std::filesystem::path model;      // folder or GGUF file
  std::filesystem::path reference;  // little-endian float32
  std::int64_t tokens = 0;
  std::vector<std::int32_t> positions;
  std::vector<FamilyLayer> layers;
  double scoreScale = 0;
  FamilyHalfRun half;
  std::string sameAs;  // the case with the same model in another spelling of the configuration
};

inline void PrintTo(const FamilyCase& family, std::ostream* out) {
  *out << family.name;
}

// Every case; a case whose folder holds model.gguf appears a second time as NAME_gguf.
std::vector<FamilyCase> familyCases();

FamilyCase familyCase(const std::string& name);

// Opens the model; a configuration in an old spelling is copied beside the weights of its original.
std::shared_ptr<const Model> openFamily(const FamilyCase& family);

}  // namespace plastiscope::testing_support
