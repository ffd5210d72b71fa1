#pragma once
// Axes and slopes of heads from an analysis, for clamping their keys.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/capture/head_list.h"
#include "core/forward/forward.h"
#include "core/store/analysis_file.h"

namespace plastiscope {

// Errors name what is missing in the file.
class ClampSource {
 public:
  explicit ClampSource(const std::filesystem::path& file);

  const std::string& fingerprint() const { return m_analysis.provenance.captureFingerprint; }  // of the model
  void requireFitting(const ModelSpec& spec) const;
  double centre() const;
  // a and alpha_K of the heads, in the given order.
  std::vector<KeyClamp> clamps(const std::vector<HeadName>& heads, const ModelSpec& spec) const;

 private:
  using Places = std::map<HeadName, KeyClamp*>;

  [[noreturn]] void refuse(const std::string& place, const std::string& expected,
                           const std::string& found) const;
  std::int64_t integer(const std::string& key) const;
  const Table& table(const std::string& name) const;
  template <typename Value>
  const std::vector<Value>& column(const Table& table, const std::string& name) const;
  void readSlopes(const Places& places) const;
  void readAxes(const Places& places) const;
  void requireComplete(const HeadName& head, const KeyClamp& clamp) const;

  std::filesystem::path m_file;
  AnalysisFile m_analysis;
};

}  // namespace plastiscope
