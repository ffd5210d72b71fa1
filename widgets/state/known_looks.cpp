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

int knownLook(const std::string& print) {
  const int own = captureLook(print);
  if (publishedIdOf(print)) return own;
  std::vector<KnownLook>& looks = listOfLooks();
  const auto found = std::ranges::find(looks, print, &KnownLook::print);
  if (found != looks.end()) {
    std::rotate(found, found + 1, looks.end());
    return looks.back().look;
  }
  if (looks.size() >= kLooks) return own;
  std::vector<int> taken;
  for (const KnownLook& known : looks) taken.push_back(known.look);
  looks.push_back({print, fittingLook(own, taken)});
  return looks.back().look;
}

std::vector<KnownLook> knownLooks() {
  return listOfLooks();
}

void setKnownLooks(std::vector<KnownLook> looks) {
  constexpr std::size_t kMost = kLooks - kRoomForNew;
  if (looks.size() > kMost) looks.erase(looks.begin(), looks.end() - kMost);
  listOfLooks() = std::move(looks);
}

}  // namespace plastiscope
