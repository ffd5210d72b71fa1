#pragma once
// Looks of the captures shown so far, so that no two of them share colour and mark and each keeps its look
// across sessions. GUI thread only.
#include <string>
#include <vector>

namespace plastiscope {

struct KnownLook {
  std::string digest;  // fingerprint of the capture (captureDigestOf)
  int look = 0;        // as captureLook()
  bool operator==(const KnownLook&) const = default;
};

// A new capture gets its own look or the next one not in use; looks of the thesis' models are reserved.
// Beyond kLooks captures its own, which another one may have.
int knownLook(const std::string& digest);

// Looks kept in the settings, most recently seen last. Some of the oldest are dropped when the list is nearly
// full.
std::vector<KnownLook> knownLooks();
void setKnownLooks(std::vector<KnownLook> looks);

}  // namespace plastiscope
