#include "core/views/what_if_data.h"

#include "core/views/metric_info.h"

namespace plastiscope {

WhatIfData makeWhatIf(const WhatIfResult& before, const WhatIfResult& after, std::int64_t window) {
  WhatIfData data;
  data.window = window;
  for (std::size_t b = 0; b < before.bins.size(); ++b) {
    data.tau.push_back(before.bins[b].tau.value());
    data.before.push_back(before.bins[b].ap);
    data.after.push_back(after.bins[b].ap);
  }
  const auto line = [&](const char* metric, double old, double changed) {
    data.lines.push_back({describeMetric(metric).title, old, changed});
  };
  line("ap_overall", before.summary.overall, after.summary.overall);
  line("ap_first20", before.summary.first20.ap, after.summary.first20.ap);
  line("ap_last20", before.summary.last20.ap, after.summary.last20.ap);
  line("ap_drop", before.summary.drop, after.summary.drop);
  return data;
}

}  // namespace plastiscope
