#include "core/text/normalizers.h"

#include <algorithm>
#include <iterator>

#include "core/text/nfc.h"

namespace plastiscope {

// To add a normaliser: its function in its own file, and a line here.
static constexpr Normalizer kNormalizers[] = {
    {"NFC", normalizeNfc},
};

std::span<const Normalizer> normalizers() {
  return kNormalizers;
}

const Normalizer* findNormalizer(std::string_view name) {
  const auto found = std::ranges::find(kNormalizers, name, &Normalizer::name);
  return found == std::end(kNormalizers) ? nullptr : found;
}

}  // namespace plastiscope
