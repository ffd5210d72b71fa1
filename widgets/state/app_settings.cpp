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

// A list; `read` returns nullopt for an invalid entry, which is left out.
template <typename Value, typename Write, typename Read>
JsonForm listForm(std::vector<Value>& values, Write write, Read read) {
  return {[&values, write] {
            Json list = Json::array();
            for (const Value& each : values) list.push_back(write(each));
            return list;
          },
          [&values, read](const Json& list) {
            values.clear();
            if (!list.is_array()) return;
            for (const Json& each : list) {
              if (std::optional<Value> value = read(each)) values.push_back(*std::move(value));
            }
          }};
}

JsonForm foldersForm(std::vector<fs::path>& folders) {
  return listForm(folders, pathText, [](const Json& each) {
    return each.is_string() ? std::optional(pathOfText(each.get<std::string>())) : std::nullopt;
  });
}

Json jsonOfRecent(const RecentFile& file) {
  return {{"path", pathText(file.path)},
          {"opened", file.openedSeconds},
          {"note", file.note},
          {"architecture", file.architecture}};
}

std::optional<RecentFile> recentFrom(const Json& value) {
  RecentFile file;
  file.path = pathOfText(textOr(value, "path"));
  file.note = textOr(value, "note");
  file.architecture = textOr(value, "architecture");
  if (value.contains("opened") && value["opened"].is_number_integer()) file.openedSeconds = value["opened"];
  return file.path.empty() ? std::nullopt : std::optional(file);
}

std::optional<KnownLook> lookFrom(const Json& value) {
  const bool pair =
      value.is_array() && value.size() == 2 && value[0].is_string() && value[1].is_number_integer();
  if (!pair || value[1] < 0 || value[1] >= kLooks) return std::nullopt;
  return KnownLook{value[0], value[1]};
}

// A preference: in the settings file and, if it has a field, in the dialog.
Option stored(std::string key, OptionValue value, OptionTraits traits = {}, OptionField field = {}) {
  return {"", std::move(key), std::move(value), "", std::move(traits), std::move(field)};
}

}  // namespace

OptionList preferences(AppSettings& s) {
  const std::vector<std::string> maps = {"viridis", "cividis", "magma"};
  return {
      stored("theme", &s.theme, {.words = {"system", "light", "dark"}},
             {.page = "Look", .row = "Theme", .words = {"like the system", "light", "dark"}}),
      stored(
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
      stored("metric_colours", &s.metricColours, {.words = maps},
             {.page = "Look",
              .row = "Colours of metrics",
              .tip = "Signed metrics always have blue, white and red around zero"}),
      stored("map_colours", &s.mapColours, {.words = maps}, {.page = "Look", .row = "Colours of maps"}),
      stored("capture_folder", &s.captureFolder),
      stored("used_folders", foldersForm(s.usedFolders)),
      stored("model_folders", foldersForm(s.modelFolders)),
      stored("threads", &s.threads, {.limit = Limit::Between, .least = 0, .most = AppSettings::kMaxThreads},
             {.page = "Work",
              .row = "Threads",
              .tip = "Threads for analyses; results do not depend on the number",
              .special = "all cores",
              .most = AppSettings::kMaxThreads}),
      stored("device", &s.device, {.words = {"auto", "cpu", "cuda"}},
             {.page = "Work", .row = "Device of new captures", .words = {"automatic", "CPU", "GPU (CUDA)"}}),
      stored(
          "python", &s.python, {},
          {.page = "Work",
           .row = "Python for transformers",
           .tip = "Runs models of families that this program does not know; it needs torch and transformers",
           .special = "found by itself"}),
      stored("restore_session", &s.restoreSession, {},
             {.page = "Work", .row = " ", .label = "Open the tabs of the last session at the start"}),
      stored(
          "intervals", &s.intervals, {},
          {.page = "Work",
           .row = "  ",
           .label = "Compute the 95 % intervals of a capture that is opened",
           .tip =
               "In the background, by leaving out its texts one at a time; they are kept for the next time"}),
      stored("connections", &s.connections, {},
             {.page = "Work",
              .row = "   ",
              .label = "Let Python connect to the window",
              .tip = "Only programs of your account on this computer: plastiscope.window() in Python"}),
      stored("screen_dpi", &s.screenDpi,
             {.limit = Limit::Between,
              .least = AppSettings::kLeastScreenDpi,
              .most = AppSettings::kMaxScreenDpi}),
      stored("plasticity", choiceOf(s.plasticity)),
      stored("recent_files", listForm(s.recentFiles, jsonOfRecent, recentFrom)),
      stored("looks",
             listForm(
                 s.looks, [](const KnownLook& known) { return Json{known.digest, known.look}; }, lookFrom)),
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
  if (settings.recentFiles.size() > kMaxRecentFiles) settings.recentFiles.resize(kMaxRecentFiles);
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
