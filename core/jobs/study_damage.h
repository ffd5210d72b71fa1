#pragma once
// What of an opened study is damaged, so that the rest can be shown beside it.
#include <map>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/head_choice.h"
#include "core/views/study.h"

namespace plastiscope {

struct StudyDamage {
  std::map<HeadName, std::string> heads;  // query heads whose rows, or whose keys, cannot be read: why
  std::vector<std::string> other;         // tables of the analysis, texts of the capture
  bool none() const { return heads.empty() && other.empty(); }
};

// Reads the whole capture, one head at a time. Stopped.
StudyDamage damageOf(const Study& study, const Progress& progress);

// One sentence for all of it: which heads, and the first reason in full; "" for no damage.
std::string damageText(const StudyDamage& damage);

}  // namespace plastiscope
