#pragma once
// Finds the damaged parts of an opened study, so that the rest can be shown.
#include <map>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/head_list.h"
#include "core/views/study.h"

namespace plastiscope {

struct StudyDamage {
  std::map<HeadName, std::string> heads;  // error per query head whose rows or keys cannot be read
  std::vector<std::string> other;         // tables of the analysis, texts of the capture
  bool none() const { return heads.empty() && other.empty(); }
};

// Reads the whole capture, one head at a time. Stopped.
StudyDamage damageOf(const Study& study, const Progress& progress);

// One sentence naming the damaged heads, with the first error in full; "" for no damage.
std::string damageText(const StudyDamage& damage);

}  // namespace plastiscope
