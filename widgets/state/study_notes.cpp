#include "widgets/state/study_notes.h"

#include <unistd.h>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr int kSaveDelayMilliseconds = 800;

// File in the settings folder for the notes of a capture, independent of its path.
fs::path otherFile(const StudyId& capture, const fs::path& folder) {
  return folder / "notes" / (capture.digest() + ".json");
}

// The same for a file with an unknown id, also used by older versions.
fs::path otherFile(const fs::path& study, const fs::path& folder) {
  return folder / "notes" /
         (sha256Hex(fs::absolute(study).lexically_normal().string()).substr(0, 16) + ".json");
}

fs::path besideFile(const fs::path& study, const NotesOrigin& origin) {
  const fs::path file = notesFileOf(study);
  if (!origin.besideIsForeign) return file;
  std::string name = file.filename().string();
  name.insert(name.size() - std::string_view(kNotesSuffix).size(), "." + origin.capture.digest());
  return file.parent_path() / name;
}

bool canWriteIn(const fs::path& folder) {
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

}  // namespace

NotesDocument::NotesDocument(const fs::path& study, const fs::path& otherFolder, const NotesOrigin& origin,
                             QObject* parent)
    : QObject(parent),
      m_capture(origin.capture),
      m_beside(notesFile(besideFile(study, origin))),
      m_other(
          notesFile(m_capture.known() ? otherFile(m_capture, otherFolder) : otherFile(study, otherFolder))),
      m_hasOther(!otherFolder.empty()),
      m_onlyOther(m_hasOther && (isShipped(study) || !canWriteIn(study.parent_path()))) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kSaveDelayMilliseconds);
  connect(&m_delay, &QTimer::timeout, this, &NotesDocument::save);
  read(study, otherFolder, origin);
  if (origin.besideIsForeign)
    m_problem = notesFileOf(study).filename().string() + " holds the notes of another capture; those of " +
                study.filename().string() + " are kept in " + m_beside.path().filename().string() + ".";
  if (m_unnamed) m_delay.start();
}

void NotesDocument::read(const fs::path& study, const fs::path& otherFolder, const NotesOrigin& origin) {
  std::vector<StateFile> places = {m_beside};
  if (m_hasOther) places.insert(m_onlyOther ? places.begin() : places.end(), m_other);
  const std::size_t own = places.size();
  if (!origin.found.empty()) places.push_back(notesFile(origin.found));
  if (m_hasOther && m_capture.known()) places.push_back(notesFile(otherFile(study, otherFolder)));
  Json content;
  std::size_t place = 0;
  for (; place < places.size(); ++place) {
    content = places[place].read(&m_problem);
    if (!content.is_null()) break;
  }
  m_notes = m_saved = StudyNotes::fromJson(content);
  m_unnamed = m_capture.known() && !m_notes.empty() && (place >= own || captureInNotes(content) != m_capture);
}

NotesDocument::~NotesDocument() {
  blockSignals(true);
  save();
}

std::string NotesDocument::of(HeadName head) const {
  const auto found = m_notes.heads.find(head);
  return found == m_notes.heads.end() ? std::string() : found->second;
}

void NotesDocument::setStudyText(const std::string& text) {
  edit([&](StudyNotes& notes) { notes.study = text; });
}

void NotesDocument::setHeadText(HeadName head, const std::string& text) {
  edit([&](StudyNotes& notes) {
    if (text.empty())
      notes.heads.erase(head);
    else
      notes.heads[head] = text;
  });
}

void NotesDocument::setStarred(const std::set<HeadName>& heads) {
  edit([&](StudyNotes& notes) { notes.starred = heads; });
}

void NotesDocument::setGroups(const HeadGroups& groups) {
  edit([&](StudyNotes& notes) { notes.groups = groups; });
}

void NotesDocument::setTags(const std::vector<std::string>& tags) {
  edit([&](StudyNotes& notes) { notes.tags = tags; });
}

void NotesDocument::edit(const std::function<void(StudyNotes&)>& change) {
  const StudyNotes before = m_notes;
  change(m_notes);
  if (m_notes == before) return;
  m_delay.start();
  Q_EMIT changed();
}

void NotesDocument::write() {
  // The list of runs writes tags of open studies, too.
  if (m_notes.tags == m_saved.tags)
    m_notes.tags = StudyNotes::fromJson((m_onlyOther ? m_other : m_beside).read()).tags;
  const Json content = notesContent(m_notes, m_capture);
  if (!m_onlyOther) {
    try {
      return m_beside.write(content);
    } catch (const std::exception&) {
      if (!m_hasOther) throw;
    }
  }
  fs::create_directories(m_other.path().parent_path());
  m_other.write(content);
}

void NotesDocument::save() {
  m_delay.stop();
  const bool changed = m_notes != m_saved, unnamed = std::exchange(m_unnamed, false);
  if (!changed && !unnamed) return;
  try {
    write();
    m_saved = m_notes;
  } catch (const std::exception& error) {
    if (changed) Q_EMIT savingFailed(tr("The notes could not be saved. %1").arg(sanitizedText(error.what())));
  }
}

void writeTags(const StudyId& id, const fs::path& file, const StudyIndex& index,
               const fs::path& settingsFolder, const std::vector<std::string>& tags) {
  NotesDocument notes(file, settingsFolder, index.notesOf(id, file));
  QString problem;
  QObject::connect(&notes, &NotesDocument::savingFailed, &notes,
                   [&problem](const QString& sentence) { problem = sentence; });
  notes.setTags(tags);
  notes.save();
  if (!problem.isEmpty()) throw InputError(problem.toStdString());
}

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

#include "moc_study_notes.cpp"
