// The list of finished units, unchanged and with a valid checksum.
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/store/work_folder.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = test::bytesOf(data, size);
  readManifest(test::fileOfBytes("manifest.jsonl", text));
  try {
    Json line = parseJson(text, "line");
    if (!line.is_object()) return 0;
    line.erase("crc32");
    const std::string content = canonicalJson(line);
    line["crc32"] = crc32Of(std::as_bytes(std::span(content)));
    const Manifest read = readManifest(test::fileOfBytes("manifest.jsonl", canonicalJson(line)));
    for (const auto& [example, entry] : read.entries) {
      if (entry.unit.find('/') != std::string::npos) std::abort();
    }
  } catch (const InputError&) {
  }
  return 0;
}
