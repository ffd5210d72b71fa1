#pragma once
// The tabs that were open: kept while the program runs, restored at the next start.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "widgets/state/selection.h"

namespace plastiscope {

struct SessionTab {
  std::filesystem::path file;  // capture or analysis
  ViewSelection selection;
};

struct SessionState {
  std::vector<SessionTab> tabs;
  int current = -1;  // index into tabs; -1 = the welcome page

  Json toJson() const;
  static SessionState fromJson(const Json& value);  // damaged tabs are skipped
};

}  // namespace plastiscope
