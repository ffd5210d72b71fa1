#include "core/causal/probe_request.h"

#include <algorithm>
#include <iterator>

namespace plastiscope {

OptionList probeRequestOptions(ProbeRequest& request) {
  OptionList run = captureOptions(request.run), options;
  for (const char* name :
       {"--model", "--follow-links", "--engine", "--python", "--text", "--tokens", "--tokenizer",
        "--text-field", "--id-field", "--max-examples", "--strict", "--no-special", "--select", "--dtype",
        "--device", "--rope-override", "--memory-limit"})
    options.push_back(*findOption(run, name));
  OptionList settings = probeOptions(request.settings);
  std::ranges::move(settings, std::back_inserter(options));
  return options;
}

}  // namespace plastiscope
