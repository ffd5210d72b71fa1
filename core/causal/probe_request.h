#pragma once
// Input and options of a run of probes. They are separate from the run (probe_job.h), because the window
// shows them and is linked without an engine.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/analysis/row_choice.h"
#include "core/base/joined.h"
#include "core/base/json_value.h"
#include "core/base/option.h"
#include "core/capture/capture_request.h"
#include "core/causal/probe_text.h"
#include "core/store/table_folder.h"

namespace plastiscope {

struct ProbeSettings {
  std::vector<ProbeKind> kinds;  // none: all, those that need texts only if there are texts
  std::vector<std::int64_t> lengths = {256, 1024};  // tokens, ascending
  std::vector<double> depths = {0, 0.5, 1};         // ascending
  std::int64_t count = 8;  // replicates of each kind, length and depth; texts of the kind text
  std::uint64_t seed = 0;
  bool controls = true;
  std::int64_t needles = 4;        // of the kind needles
  std::int64_t pairs = 16;         // lines of a key-value list
  std::int64_t answerTokens = 4;   // of a random value
  std::int64_t repeatTokens = 32;  // of a repeated passage
  std::int64_t textTokens = 64;    // scored in a text: repeated ones, and new ones, at most

  Json toJson() const;
};
// Options in the order of the help; their keys are those of the JSON.
OptionList probeOptions(ProbeSettings& settings);

struct ProbeRequest {
  // Model, texts or token ids (none: random filler), tokenizer, engine, device, type, threads and memory.
  CaptureRequest run;
  ProbeSettings settings;
  std::filesystem::path out;    // folder of the tables; "": the probes are not run
  std::filesystem::path write;  // token file with the probes, for capture --tokens; "": none
  TableRules rules;             // otherSettings: finished tables are computed again
};
// Options of `run` that apply, then those of the settings.
OptionList probeRequestOptions(ProbeRequest& request);

// A list such as "256,1024", ascending without repeats. `read` makes a value of its text; UsageError.
template <typename Value, typename Show, typename Read>
TextForm listForm(std::vector<Value>& list, Show show, Read read) {
  return {[&list, show] { return joined(list, show, ","); },
          [&list, read](const std::string& text) {
            std::vector<Value> values;
            for (const std::string& part : listParts(text + ",")) values.push_back(read(part));
            std::ranges::sort(values);
            values.erase(std::unique(values.begin(), values.end()), values.end());
            list = std::move(values);
          }};
}
// The same of whole numbers from 1 to `most`. `expected`: for the message.
TextForm wholeNumbersForm(std::vector<std::int64_t>& list, std::int64_t most, const std::string& expected);

}  // namespace plastiscope
