#include "widgets/state/study_index.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr int kIndexVersion = 1;
constexpr std::size_t kMaxNotes = 256;         // notes files read beside a capture
constexpr std::uintmax_t kMaxBytes = 1 << 20;  // maximum size of a notes file

std::vector<fs::path> notesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  fs::directory_iterator each(folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && files.size() < kMaxNotes && each != fs::directory_iterator(); each.increment(failed)) {
    std::error_code ignored;
    const bool notes = each->path().string().ends_with(kNotesSuffix) && each->is_regular_file(ignored);
    if (notes && each->file_size(ignored) <= kMaxBytes) files.push_back(each->path());
  }
  return files;
}

bool isNewer(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::last_write_time(a, ignored) > fs::last_write_time(b, ignored);
}

}  // namespace

StudyIndex::StudyIndex(const fs::path& settingsFolder)
    : m_file(settingsFolder / "studies.json", "plastiscope-studies", kIndexVersion) {}

std::vector<StudyIndex::Entry> StudyIndex::read() const {
  std::vector<Entry> entries;
  const Json content = m_file.read();
  if (!content.is_object() || !content.contains("studies") || !content["studies"].is_array()) return entries;
  for (const Json& each : content["studies"]) {
    const StudyId id = StudyId::fromJson(each);
    if (id.known() && each.contains("file") && each["file"].is_string() && entries.size() < kMaximum)
      entries.push_back({id, pathOfText(each["file"].get<std::string>())});
  }
  return entries;
}

void StudyIndex::remember(const StudyId& id, const fs::path& file) {
  if (!id.known()) return;
  const std::lock_guard lock(m_mutex);
  std::vector<Entry> entries = read();
  if (!entries.empty() && entries.front().id == id && entries.front().file == file) return;
  std::erase_if(entries, [&](const Entry& each) { return each.file == file; });
  entries.insert(entries.begin(), {id, file});
  if (entries.size() > kMaximum) entries.resize(kMaximum);
  Json list = Json::array();
  for (const Entry& entry : entries) {
    list.push_back(entry.id.toJson());
    list.back()["file"] = pathText(entry.file);
  }
  try {
    m_file.write({{"studies", list}});
  } catch (const Error&) {
  }
}

std::vector<fs::path> StudyIndex::filesOf(const StudyId& id) const {
  const std::lock_guard lock(m_mutex);
  std::vector<fs::path> files;
  for (const Entry& entry : read()) {
    if (entry.id == id) files.push_back(entry.file);
  }
  return files;
}

NotesOrigin StudyIndex::notesOf(const StudyId& id, const fs::path& file) const {
  NotesOrigin origin;
  if (!id.known()) return origin;
  origin.capture = id.ofCapture();
  const std::lock_guard lock(m_mutex);
  const fs::path beside = notesFileOf(file);
  std::error_code ignored;
  if (fs::is_regular_file(beside, ignored)) {
    const StudyId found = captureOfNotes(beside);
    if (!found.known() || found == origin.capture) return origin;  // notes of older versions have no id
    origin.besideIsForeign = true;
  }
  std::vector<fs::path> places = notesIn(file.parent_path());
  std::sort(places.begin(), places.end(), isNewer);
  for (const Entry& entry : read()) {
    if (entry.id.ofCapture() == origin.capture) places.push_back(notesFileOf(entry.file));
  }
  const auto place = std::ranges::find_if(places, [&](const fs::path& each) {
    return each != beside && fs::is_regular_file(each, ignored) && captureOfNotes(each) == origin.capture;
  });
  if (place != places.end()) origin.found = *place;
  return origin;
}

}  // namespace plastiscope
