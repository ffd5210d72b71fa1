#include "widgets/state/known_looks.h"

#include <algorithm>

#include "core/compare/reference_data.h"
#include "core/figures/parts.h"

namespace plastiscope {

namespace {

constexpr std::size_t kRoomForNew = 16;  // room for captures of one session

std::vector<KnownLook>& listOfLooks() {
  static std::vector<KnownLook> looks;
  return looks;
}

}  // namespace

int knownLook(const std::string& digest) {
  const int own = captureLook(digest);
  if (publishedIdOf(digest)) return own;
  std::vector<KnownLook>& looks = listOfLooks();
  const auto found = std::ranges::find(looks, digest, &KnownLook::digest);
  if (found != looks.end()) {
    std::rotate(found, found + 1, looks.end());
    return looks.back().look;
  }
  if (looks.size() >= kLooks) return own;
  std::vector<int> taken;
  for (const KnownLook& known : looks) taken.push_back(known.look);
  looks.push_back({digest, fittingLook(own, taken)});
  return looks.back().look;
}

std::vector<KnownLook> knownLooks() {
  return listOfLooks();
}

void setKnownLooks(std::vector<KnownLook> looks) {
  constexpr std::size_t kMaximum = kLooks - kRoomForNew;
  if (looks.size() > kMaximum) looks.erase(looks.begin(), looks.end() - kMaximum);
  listOfLooks() = std::move(looks);
}

}  // namespace plastiscope
