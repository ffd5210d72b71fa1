#include "widgets/state/app_settings.h"

#include <QDir>
#include <QStandardPaths>
#include <algorithm>
#include <array>

#include "core/base/json.h"
#include "core/base/path_text.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr std::size_t kMostRecentFiles = 20;
constexpr std::array kThemes = {"system", "light", "dark"};
constexpr std::array kColourMaps = {"viridis", "cividis", "magma"};
constexpr std::array kDevices = {"auto", "cpu", "cuda"};
constexpr std::array kKnown = {"theme",        "capture_folder", "restore_session", "model_folders",
                               "recent_files", "font_points",    "metric_colours",  "map_colours",
                               "threads",      "device",         "screen_dpi",      "intervals"};

// The value when it is one of the list.
template <typename List>
void readOneOf(const Json& object, const char* key, const List& list, std::string& out) {
  std::string value;
  if (object.contains(key) && object[key].is_string()) value = object[key].template get<std::string>();
  if (std::find(list.begin(), list.end(), value) != list.end()) out = value;
}

void readText(const Json& object, const char* key, std::string& out) {
  if (object.contains(key) && object[key].is_string()) out = object[key].get<std::string>();
}

RecentFile recentFrom(const Json& value) {
  RecentFile file;
  std::string path;
  readText(value, "path", path);
  readText(value, "note", file.note);
  readText(value, "architecture", file.architecture);
  file.path = pathOfText(path);
  if (value.contains("opened") && value["opened"].is_number_integer()) file.openedSeconds = value["opened"];
  return file;
}

}  // namespace

Json AppSettings::toJson() const {
  Json result = unknown;
  result["theme"] = theme;
  result["capture_folder"] = pathText(captureFolder);
  result["restore_session"] = restoreSession;
  result["font_points"] = fontPoints;
  result["metric_colours"] = metricColours;
  result["map_colours"] = mapColours;
  result["threads"] = threads;
  result["device"] = device;
  result["screen_dpi"] = screenDpi;
  result["intervals"] = intervals;
  result["model_folders"] = Json::array();
  for (const fs::path& folder : modelFolders) result["model_folders"].push_back(pathText(folder));
  result["recent_files"] = Json::array();
  for (const RecentFile& file : recentFiles) {
    result["recent_files"].push_back({{"path", pathText(file.path)},
                                      {"opened", file.openedSeconds},
                                      {"note", file.note},
                                      {"architecture", file.architecture}});
  }
  return result;
}

AppSettings AppSettings::fromJson(const Json& value) {
  AppSettings settings;
  if (!value.is_object()) return settings;
  settings.unknown = value;
  for (const char* known : kKnown) settings.unknown.erase(known);
  std::string folder;
  readOneOf(value, "theme", kThemes, settings.theme);
  readOneOf(value, "metric_colours", kColourMaps, settings.metricColours);
  readOneOf(value, "map_colours", kColourMaps, settings.mapColours);
  readOneOf(value, "device", kDevices, settings.device);
  if (value.contains("font_points") && value["font_points"].is_number()) {
    const double points = value["font_points"];
    if (points >= AppSettings::kSmallestFont && points <= AppSettings::kLargestFont)
      settings.fontPoints = points;
  }
  if (value.contains("threads") && value["threads"].is_number_integer()) {
    const auto threads = value["threads"].get<std::int64_t>();
    if (threads >= 0 && threads <= AppSettings::kMostThreads) settings.threads = static_cast<int>(threads);
  }
  if (value.contains("screen_dpi") && value["screen_dpi"].is_number()) {
    const double dpi = value["screen_dpi"];
    if (dpi >= AppSettings::kLeastScreenDpi && dpi <= AppSettings::kMostScreenDpi) settings.screenDpi = dpi;
  }
  readText(value, "capture_folder", folder);
  settings.captureFolder = pathOfText(folder);
  if (value.contains("restore_session") && value["restore_session"].is_boolean()) {
    settings.restoreSession = value["restore_session"];
  }
  if (value.contains("intervals") && value["intervals"].is_boolean()) settings.intervals = value["intervals"];
  if (value.contains("model_folders") && value["model_folders"].is_array()) {
    for (const Json& each : value["model_folders"]) {
      if (each.is_string()) settings.modelFolders.push_back(pathOfText(each.get<std::string>()));
    }
  }
  if (value.contains("recent_files") && value["recent_files"].is_array()) {
    for (const Json& each : value["recent_files"]) {
      const RecentFile file = recentFrom(each);
      if (!file.path.empty() && settings.recentFiles.size() < kMostRecentFiles)
        settings.recentFiles.push_back(file);
    }
  }
  return settings;
}

void remember(std::vector<RecentFile>& files, RecentFile file) {
  std::erase_if(files, [&](const RecentFile& other) { return other.path == file.path; });
  files.insert(files.begin(), std::move(file));
  if (files.size() > kMostRecentFiles) files.resize(kMostRecentFiles);
}

fs::path defaultCaptureFolder() {
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  const QDir base(QDir(documents).exists() ? documents : QDir::homePath());
  return base.filePath(QStringLiteral("Plastiscope")).toStdString();
}

}  // namespace plastiscope
