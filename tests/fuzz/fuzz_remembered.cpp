// Content of a state file of the window, of the type that PLASTISCOPE_FUZZED_FILE names: parsed content is
// written and must read back unchanged. The target `state` covers the file around it.
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/json.h"
#include "tests/fuzz/file_of_bytes.h"
#include "widgets/state/app_settings.h"
#include "widgets/state/session_state.h"
#include "widgets/state/study_notes.h"

using namespace plastiscope;

template <typename State>
static void readAndWrite(const Json& content) {
  const Json written = State::fromJson(content).toJson();
  if (State::fromJson(parseJson(canonicalJson(written), "again")).toJson() != written) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kKind = PLASTISCOPE_FUZZED_FILE;
  try {
    const Json content = parseJson(test::bytesOf(data, size), "content");
    if (kKind == "session") readAndWrite<SessionState>(content);
    if (kKind == "settings") readAndWrite<AppSettings>(content);
    if (kKind == "notes") readAndWrite<StudyNotes>(content);
  } catch (const InputError&) {
  }
  return 0;
}
