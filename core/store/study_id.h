#pragma once
// What tells a capture or an analysis from others wherever its file lies and whatever it is called.
#include <string>

#include "core/base/json_value.h"

namespace plastiscope {

struct StudyId {
  std::string model;     // fingerprint of the model; may be empty
  std::string capture;   // settings hash of the capture, which its texts decide too; "" = not known
  std::string analysis;  // settings hash of an analysis; "" = a capture
  bool operator==(const StudyId&) const = default;

  // Nothing, where the hash of the capture is one that other writers put in its place, such as zeros.
  StudyId ifTelling() const;
  bool known() const { return !capture.empty(); }
  StudyId ofCapture() const { return {model, capture, {}}; }
  std::string digest() const;  // 16 hex digits, for file names

  Json toJson() const;
  static StudyId fromJson(const Json& value);  // not known where it is none
};

// Why `found` cannot be taken for `wanted`, to follow the name of its file: "is of another model"; "" when
// they agree, or nothing is known of what is wanted.
std::string differenceOf(const StudyId& wanted, const StudyId& found);

}  // namespace plastiscope
