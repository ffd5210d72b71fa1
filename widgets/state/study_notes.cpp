#include "widgets/state/study_notes.h"

#include <unistd.h>

#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kSaveDelayMilliseconds = 800;
constexpr const char* kFormat = "plastiscope-notes";
constexpr int kVersion = 1;
constexpr const char* kCapture = "capture";

std::optional<HeadName> headFrom(const std::string& text) {
  constexpr std::size_t kLongest = 16;  // longer keys cannot name a head
  if (text.size() > kLongest || text.find_first_of(",-") != std::string::npos) return std::nullopt;
  try {
    const auto heads = parseHeadList(text);
    if (heads.size() == 1) return heads.front();
  } catch (const Error&) {  // from another program version
  }
  return std::nullopt;
}

StateFile notesAt(const fs::path& file) {
  return {file, kFormat, kVersion};
}

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

StudyId captureIn(const Json& content) {
  return content.is_object() && content.contains(kCapture) ? StudyId::fromJson(content[kCapture]) : StudyId();
}

bool canWriteIn(const fs::path& folder) {
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

}  // namespace

Json StudyNotes::toJson() const {
  Json result = {{"study", study}, {"heads", Json::object()}, {"starred", Json::array()}};
  for (const auto& [head, text] : heads) result["heads"][head.text()] = text;
  for (const HeadName& head : starred) result["starred"].push_back(head.text());
  return result;
}

StudyNotes StudyNotes::fromJson(const Json& value) {
  StudyNotes notes;
  if (!value.is_object()) return notes;
  if (value.contains("study") && value["study"].is_string()) notes.study = value["study"];
  const Json heads = value.value("heads", Json::object()), starred = value.value("starred", Json::array());
  if (heads.is_object()) {
    for (const auto& [name, text] : heads.items()) {
      const auto head = headFrom(name);
      if (head && text.is_string() && !text.get<std::string>().empty()) notes.heads[*head] = text;
    }
  }
  if (starred.is_array()) {
    for (const Json& each : starred) {
      if (const auto head = each.is_string() ? headFrom(each) : std::nullopt) notes.starred.insert(*head);
    }
  }
  return notes;
}

fs::path notesFileOf(const fs::path& study) {
  fs::path stem = study.stem();
  if (stem.extension() == ".analysis") stem = stem.stem();
  return study.parent_path() / (stem.string() + kNotesSuffix);
}

StudyId captureOfNotes(const fs::path& notes) {
  return captureIn(notesAt(notes).read());
}

NotesDocument::NotesDocument(const fs::path& study, const fs::path& otherFolder, const NotesOrigin& origin,
                             QObject* parent)
    : QObject(parent),
      m_capture(origin.capture),
      m_beside(notesAt(besideFile(study, origin))),
      m_other(notesAt(m_capture.known() ? otherFile(m_capture, otherFolder) : otherFile(study, otherFolder))),
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
  if (!origin.found.empty()) places.push_back(notesAt(origin.found));
  if (m_hasOther && m_capture.known()) places.push_back(notesAt(otherFile(study, otherFolder)));
  Json content;
  std::size_t place = 0;
  for (; place < places.size(); ++place) {
    content = places[place].read(&m_problem);
    if (!content.is_null()) break;
  }
  m_notes = m_saved = StudyNotes::fromJson(content);
  m_unnamed = m_capture.known() && !m_notes.empty() && (place >= own || captureIn(content) != m_capture);
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
  StudyNotes next = m_notes;
  next.study = text;
  change(next);
}

void NotesDocument::setHeadText(HeadName head, const std::string& text) {
  StudyNotes next = m_notes;
  if (text.empty())
    next.heads.erase(head);
  else
    next.heads[head] = text;
  change(next);
}

void NotesDocument::setStarred(const std::set<HeadName>& heads) {
  StudyNotes next = m_notes;
  next.starred = heads;
  change(next);
}

void NotesDocument::change(const StudyNotes& next) {
  if (next == m_notes) return;
  m_notes = next;
  m_delay.start();
  Q_EMIT changed();
}

void NotesDocument::write() {
  Json content = m_notes.toJson();
  if (m_capture.known()) content[kCapture] = m_capture.toJson();
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

}  // namespace plastiscope

#include "moc_study_notes.cpp"
