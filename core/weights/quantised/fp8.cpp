// quant_method "fp8" (fine-grained, and one scale a tensor) and "fbgemm_fp8" (one scale a row). Despite its
// name, weight_scale_inv is what the stored numbers are multiplied by. Which modules were left alone shows in
// the tensors' types; activations are not quantised here, so their scheme does not matter.
#include "core/base/json.h"
#include "core/weights/quantised/scaled_weights.h"

namespace plastiscope::quantised {

namespace {

ScaleRule ruleOf(const Request& request) {
  return {
      {"_scale_inv", "_scale"},
      rectangleFrom(request.config.value("weight_block_size", Json()), "weight_block_size", request.file)};
}

std::string unreadFp8(const Request& request) {
  ruleOf(request);
  return "";
}

Derivation deriveFp8(const TensorSource& stored, const Request& request) {
  return scaledWeights(stored, ruleOf(request));
}

}  // namespace

const Method kFp8{"fp8", unreadFp8, deriveFp8};
const Method kFbgemmFp8{"fbgemm_fp8", unreadFp8, deriveFp8};

}  // namespace plastiscope::quantised
