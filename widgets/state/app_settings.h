#pragma once
// User preferences as plain values, and the list of them from which the settings file and the settings dialog
// are made. To add a preference: its member here, its entry in app_settings.cpp.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/option.h"
#include "core/views/plasticity_choice.h"
#include "widgets/state/icons.h"

namespace plastiscope {

// An opened file; lists have the newest first.
struct RecentFile {
  std::filesystem::path path;
  std::int64_t openedSeconds = 0;  // since 1970
  std::string note;                // "capture, 270 heads"
  std::string architecture;        // family mark beside it; may be empty
  bool operator==(const RecentFile&) const = default;
  bool isSession() const { return path.extension() == ".json"; }
};

struct AppSettings {
  static constexpr double kSmallestFont = 7, kLargestFont = 18;  // points
  static constexpr double kLeastScreenDpi = 50, kMaxScreenDpi = 400;
  static constexpr int kMaxThreads = 256;

  std::string theme = "system";                     // system, light, dark
  std::vector<std::filesystem::path> modelFolders;  // searched for models besides the usual places
  std::filesystem::path captureFolder;              // where new captures are saved
  std::vector<std::filesystem::path> usedFolders;   // folders of earlier captures, shown in the library
  bool restoreSession = true;
  ApKind plasticity = ApKind::Aligned;  // shown in new tabs: the last choice
  bool intervals = true;                // computed in the background for opened captures
  double fontPoints = 0;                // for the window's texts; 0 = desktop default
  std::string metricColours = "viridis",
              mapColours = "magma";  // colour maps on the screen; signed metrics have separate ones
  int threads = 0;                   // threads of analyses; 0 = all cores
  std::string device = "auto";       // device for new captures: auto, cpu, cuda
  std::string python;                // runs the engine transformers; "": found as in python_finder.h
  bool connections = true;           // programs of the same user, such as Python, may operate the window
  double screenDpi = 0;  // for true-size previews, as measured by the user; 0 = as the screen reports
  std::vector<RecentFile> recentFiles;
  std::vector<KnownLook> looks;             // looks of captures
  JsonValue unknown = JsonValue::object();  // fields of other versions are kept

  Json toJson() const;
  static AppSettings fromJson(const Json& value);  // invalid values keep their defaults
};

OptionList preferences(AppSettings& settings);

// Puts `file` first; keeps at most 20 files, each path once.
void remember(std::vector<RecentFile>& files, RecentFile file);

// Plastiscope in the documents folder, if that exists, and in the home folder.
std::vector<std::filesystem::path> defaultCaptureFolders();
// The first of them that exists, else the first.
std::filesystem::path defaultCaptureFolder();

}  // namespace plastiscope
