#pragma once
// Captures of a tiny model, made in a temporary folder.
#include <gtest/gtest.h>

#include "core/base/files.h"
#include "core/jobs/capture_job.h"
#include "core/store/capture_file.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {

class TinyCapture : public ::testing::Test {
 protected:
  // Request for the folder "model" and "tokens.jsonl", which the test writes.
  CaptureRequest request(const std::string& out) const {
    CaptureRequest request;
    request.model = (m_folder / "model").string();
    request.tokens = m_folder / "tokens.jsonl";
    request.out = m_folder / out;
    request.plan.heads = "all";
    request.plan.rate = 20;
    request.plan.dtype = "float32";
    request.plan.device = "cpu";
    return request;
  }

  // The file without its seal and `created`, which may differ between two runs.
  std::string bytesOf(const std::string& name) const {
    std::string bytes = readFile(m_folder / name);
    const std::string created = openCapture(m_folder / name)->info().created;
    for (std::size_t at = bytes.find(created); at != std::string::npos; at = bytes.find(created))
      bytes.replace(at, created.size(), created.size(), '-');
    return bytes.substr(0, bytes.rfind("plastiscope file sha256"));
  }

  TemporaryFolder m_folder;
};

}  // namespace plastiscope::test
