#include "widgets/state/app_settings.h"

#include <QDir>
#include <QStandardPaths>
#include <algorithm>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/compare/comparison.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr std::size_t kMaxRecentFiles = 20;

RecentFile recentFrom(const Json& value) {
  RecentFile file;
  file.path = pathOfText(textOr(value, "path"));
  file.note = textOr(value, "note");
  file.architecture = textOr(value, "architecture");
  if (value.contains("opened") && value["opened"].is_number_integer()) file.openedSeconds = value["opened"];
  return file;
}

// Skips entries of another type.
JsonForm foldersForm(std::vector<fs::path>& folders) {
  return {[&folders] {
            Json list = Json::array();
            for (const fs::path& folder : folders) list.push_back(pathText(folder));
            return list;
          },
          [&folders](const Json& list) {
            folders.clear();
            if (!list.is_array()) return;
            for (const Json& each : list) {
              if (each.is_string()) folders.push_back(pathOfText(each.get<std::string>()));
            }
          }};
}

JsonForm recentForm(std::vector<RecentFile>& files) {
  return {[&files] {
            Json list = Json::array();
            for (const RecentFile& file : files)
              list.push_back({{"path", pathText(file.path)},
                              {"opened", file.openedSeconds},
                              {"note", file.note},
                              {"architecture", file.architecture}});
            return list;
          },
          [&files](const Json& list) {
            files.clear();
            if (!list.is_array()) return;
            for (const Json& each : list) {
              const RecentFile file = recentFrom(each);
              if (!file.path.empty() && files.size() < kMaxRecentFiles) files.push_back(file);
            }
          }};
}

JsonForm looksForm(std::vector<KnownLook>& looks) {
  return {[&looks] {
            Json list = Json::array();
            for (const KnownLook& known : looks) list.push_back({known.digest, known.look});
            return list;
          },
          [&looks](const Json& list) {
            looks.clear();
            if (!list.is_array()) return;
            for (const Json& each : list) {
              const bool pair =
                  each.is_array() && each.size() == 2 && each[0].is_string() && each[1].is_number_integer();
              if (!pair || each[1] < 0 || each[1] >= kLooks) continue;
              looks.push_back({each[0].get<std::string>(), each[1].get<int>()});
            }
          }};
}

// A preference: in the settings file and, if it has a field, in the dialog.
Option keptOption(std::string key, OptionValue value, OptionTraits traits = {}, OptionField field = {}) {
  return {"", std::move(key), std::move(value), "", std::move(traits), std::move(field)};
}

}  // namespace

OptionList preferences(AppSettings& s) {
  const std::vector<std::string> maps = {"viridis", "cividis", "magma"};
  return {
      keptOption("theme", &s.theme, {.words = {"system", "light", "dark"}},
                 {.page = "Look", .row = "Theme", .words = {"like the system", "light", "dark"}}),
      keptOption(
          "font_points", &s.fontPoints,
          {.limit = Limit::Between, .least = AppSettings::kSmallestFont, .most = AppSettings::kLargestFont},
          {.page = "Look",
           .row = "Size of texts",
           .special = "like the system",
           .suffix = " pt",
           .least = AppSettings::kSmallestFont - 0.5,
           .most = AppSettings::kLargestFont,
           .step = 0.5,
           .decimals = 1}),
      keptOption("metric_colours", &s.metricColours, {.words = maps},
                 {.page = "Look",
                  .row = "Colours of metrics",
                  .tip = "Signed metrics always have blue, white and red around zero"}),
      keptOption("map_colours", &s.mapColours, {.words = maps}, {.page = "Look", .row = "Colours of maps"}),
      keptOption("capture_folder", &s.captureFolder),
      keptOption("used_folders", foldersForm(s.usedFolders)),
      keptOption("model_folders", foldersForm(s.modelFolders)),
      keptOption("threads", &s.threads,
                 {.limit = Limit::Between, .least = 0, .most = AppSettings::kMaxThreads},
                 {.page = "Work",
                  .row = "Threads",
                  .tip = "Threads for analyses; results do not depend on the number",
                  .special = "all cores",
                  .most = AppSettings::kMaxThreads}),
      keptOption(
          "device", &s.device, {.words = {"auto", "cpu", "cuda"}},
          {.page = "Work", .row = "Device of new captures", .words = {"automatic", "CPU", "GPU (CUDA)"}}),
      keptOption("restore_session", &s.restoreSession, {},
                 {.page = "Work", .row = " ", .label = "Open the tabs of the last session at the start"}),
      keptOption(
          "intervals", &s.intervals, {},
          {.page = "Work",
           .row = "  ",
           .label = "Compute the 95 % intervals of a capture that is opened",
           .tip =
               "In the background, by leaving out its texts one at a time; they are kept for the next time"}),
      keptOption("screen_dpi", &s.screenDpi,
                 {.limit = Limit::Between,
                  .least = AppSettings::kLeastScreenDpi,
                  .most = AppSettings::kMaxScreenDpi}),
      keptOption("plasticity", choiceOf(s.plasticity)),
      keptOption("recent_files", recentForm(s.recentFiles)),
      keptOption("looks", looksForm(s.looks)),
  };
}

Json AppSettings::toJson() const {
  AppSettings settings = *this, standard;
  Json result = unknown;
  result.update(plastiscope::toJson(preferences(settings), preferences(standard)));
  return result;
}

AppSettings AppSettings::fromJson(const Json& value) {
  AppSettings settings;
  if (!value.is_object()) return settings;
  settings.unknown = value;
  for (const Option& preference : preferences(settings)) {
    const auto found = value.find(preference.key);
    if (found == value.end()) continue;
    settings.unknown.erase(preference.key);
    try {
      setJson(preference, *found, preference.key);
    } catch (const UsageError&) {
      // from another program version or edited by hand: keeps the default
    }
  }
  return settings;
}

void remember(std::vector<RecentFile>& files, RecentFile file) {
  std::erase_if(files, [&](const RecentFile& other) { return other.path == file.path; });
  files.insert(files.begin(), std::move(file));
  if (files.size() > kMaxRecentFiles) files.resize(kMaxRecentFiles);
}

std::vector<fs::path> defaultCaptureFolders() {
  const QDir documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
  std::vector<fs::path> folders;
  for (const QDir& base : {documents, QDir::home()})
    if (base.exists()) folders.emplace_back(base.filePath(QStringLiteral("Plastiscope")).toStdString());
  return folders;
}

fs::path defaultCaptureFolder() {
  const auto folders = defaultCaptureFolders();
  std::error_code ignored;
  for (const fs::path& folder : folders)
    if (fs::is_directory(folder, ignored)) return folder;
  return folders.empty() ? fs::path("Plastiscope") : folders.front();
}

}  // namespace plastiscope
