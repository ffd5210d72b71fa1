#pragma once
// The looks of the captures that the window has shown, so that no two of them share colour and mark and each
// keeps its own from start to start. GUI thread only.
#include <string>
#include <vector>

namespace plastiscope {

struct KnownLook {
  std::string print;  // of the capture (capturePrint)
  int look = 0;       // as captureLook()
  bool operator==(const KnownLook&) const = default;
};

// Of a capture that is seen for the first time its own, or the next that none of the others has; those of the
// thesis' models are theirs alone. Beyond kLooks captures the own one, which another may have.
int knownLook(const std::string& print);

// What is kept in the settings: seen last, last in the list. Some of the oldest are forgotten when the list
// is nearly full.
std::vector<KnownLook> knownLooks();
void setKnownLooks(std::vector<KnownLook> looks);

}  // namespace plastiscope
