#pragma once
// What figures can be told, in one list: how the command line calls it, when it was given, how to forget it.
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

struct FigureOptionInfo {
  FigureOption option;
  const char* flag;  // "--metric"
  bool (*given)(const FigureSpec&);
  void (*forget)(FigureSpec&);
};

const std::vector<FigureOptionInfo>& figureOptions();

}  // namespace plastiscope
