// A state file (session, settings, notes): unchanged, and as content with a valid checksum, which must read
// back unchanged.
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/state_document.h"
#include "core/base/state_file.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = test::bytesOf(data, size);
  const auto file = test::fileOfBytes("session.json", text);
  const StateFile state(file, kSessionFormat, kSessionVersion);
  stateFormatOf(file);
  std::string problem;
  state.read(&problem);
  try {
    const Json content = parseJson(text, "content");
    test::fileOfBytes("session.json", stateDocument(kSessionFormat, kSessionVersion, content));
    if (state.require() != content) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
