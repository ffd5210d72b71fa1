#include "widgets/export/figure_options.h"

namespace plastiscope {

const std::vector<FigureOptionInfo>& figureOptions() {
  using enum FigureOption;
  using Spec = FigureSpec;
  static const std::vector<FigureOptionInfo> list = {
      {Layer, "--layer", [](const Spec& s) { return s.scope.layer.has_value(); },
       [](Spec& s) { s.scope.layer.reset(); }},
      {Metric, "--metric", [](const Spec& s) { return !s.metric.empty(); },
       [](Spec& s) { s.metric.clear(); }},
      {Range, "--range", [](const Spec& s) { return s.range.has_value(); }, [](Spec& s) { s.range.reset(); }},
      {Reference, "--reference", [](const Spec& s) { return !s.reference.empty(); },
       [](Spec& s) { s.reference.clear(); }},
      {Names, "--names", [](const Spec& s) { return !s.names.empty(); }, [](Spec& s) { s.names.clear(); }},
      {Order, "--order", [](const Spec& s) { return s.order != Spec().order; },
       [](Spec& s) { s.order = Spec().order; }},
      {Axis, "--axis", [](const Spec& s) { return !s.axis.empty(); }, [](Spec& s) { s.axis.clear(); }},
      {Published, "--published", [](const Spec& s) { return s.published; },
       [](Spec& s) { s.published = false; }},
      {Intervals, "--no-intervals", [](const Spec& s) { return !s.intervals; },
       [](Spec& s) { s.intervals = true; }},
      {Scores, "--scores", [](const Spec& s) { return !s.scores.empty(); },
       [](Spec& s) { s.scores.clear(); }},
      {Against, "--against", [](const Spec& s) { return !s.against.empty(); },
       [](Spec& s) { s.against.clear(); }},
      {Panels, "--panels", [](const Spec& s) { return !s.panels.empty(); },
       [](Spec& s) { s.panels.clear(); }},
      {Group, "--group", [](const Spec& s) { return !s.group.empty(); }, [](Spec& s) { s.group.clear(); }},
  };
  return list;
}

}  // namespace plastiscope
