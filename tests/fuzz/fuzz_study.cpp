// Opens a capture or an analysis: metadata, all tables, rows of all heads.
#include "core/base/error.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"
#include "core/store/stored_file.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

namespace {

void readAll(const CaptureFile& capture) {
  for (const CaptureLayerInfo& layer : capture.info().layerInfos) {
    for (const std::int64_t head : layer.queryHeads) capture.rows({layer.layer, head, RowSet::Query});
    for (const std::int64_t head : layer.keyHeads) capture.rows({layer.layer, head, RowSet::Key});
  }
  for (std::size_t example = 0; example < capture.info().examples.size(); ++example) {
    capture.tokenTexts(static_cast<std::int64_t>(example));
    capture.losses(static_cast<std::int64_t>(example));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = test::fileOfBytes("study.h5", test::bytesOf(data, size));
  try {
    const StoredFile stored(file);
    stored.content();
    if (stored.kind() == FileType::Capture) readAll(*stored.capture());
    if (stored.kind() == FileType::Analysis) wholeAnalysis(*stored.analysis(), DamagedTables::LeaveOut);
  } catch (const InputError&) {
  }
  return 0;
}
