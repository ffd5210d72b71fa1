#include "core/views/study_notes.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr const char* kNotesFormat = "plastiscope-notes";
constexpr int kNotesVersion = 1;
constexpr const char* kCaptureKey = "capture";

// Content of the notes beside a study, null without notes. InputError if they cannot be read or belong to
// another capture.
Json contentBeside(const fs::path& study) {
  const fs::path file = notesFileOf(study);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return {};
  Json content = notesFile(file).require();
  const StudyId own = studyIdOf(study).ofCapture(), found = captureInNotes(content);
  if (own.known() && found.known() && found != own)
    throw InputError(pathText(file) + " holds the notes of another capture than " + pathText(study));
  return content;
}

}  // namespace

Json StudyNotes::toJson() const {
  Json result = {{"study", study}, {"heads", Json::object()}, {"starred", Json::array()}};
  for (const auto& [head, text] : heads) result["heads"][head.text()] = text;
  for (const HeadName& head : starred) result["starred"].push_back(head.text());
  if (!groups.empty()) result["groups"] = groupsToJson(groups);
  return result;
}

StudyNotes StudyNotes::fromJson(const Json& value) {
  StudyNotes notes;
  if (!value.is_object()) return notes;
  if (value.contains("study") && value["study"].is_string()) notes.study = value["study"];
  const Json heads = value.value("heads", Json::object()), starred = value.value("starred", Json::array());
  if (heads.is_object()) {
    for (const auto& [name, text] : heads.items()) {
      const auto head = headNamed(name);
      if (head && text.is_string() && !text.get<std::string>().empty()) notes.heads[*head] = text;
    }
  }
  if (starred.is_array()) {
    for (const Json& each : starred) {
      if (const auto head = each.is_string() ? headNamed(each) : std::nullopt) notes.starred.insert(*head);
    }
  }
  notes.groups = groupsFromJson(value.value("groups", Json::array()));
  return notes;
}

fs::path notesFileOf(const fs::path& study) {
  fs::path stem = study.stem();
  if (stem.extension() == ".analysis") stem = stem.stem();
  return study.parent_path() / (stem.string() + kNotesSuffix);
}

StateFile notesFile(const fs::path& file) {
  return {file, kNotesFormat, kNotesVersion};
}

Json notesContent(const StudyNotes& notes, const StudyId& capture) {
  Json content = notes.toJson();
  if (capture.known()) content[kCaptureKey] = capture.toJson();
  return content;
}

StudyId captureInNotes(const Json& content) {
  return content.is_object() && content.contains(kCaptureKey) ? StudyId::fromJson(content[kCaptureKey])
                                                              : StudyId();
}

StudyId captureOfNotes(const fs::path& notes) {
  return captureInNotes(notesFile(notes).read());
}

HeadGroups groupsBeside(const fs::path& study) {
  return StudyNotes::fromJson(contentBeside(study)).groups;
}

void saveGroupsBeside(const fs::path& study, const HeadGroups& groups) {
  StudyNotes notes = StudyNotes::fromJson(contentBeside(study));
  notes.groups = groups;
  notesFile(notesFileOf(study)).write(notesContent(notes, studyIdOf(study).ofCapture()));
}

HeadGroups parseGroups(const std::vector<std::string>& texts, const fs::path& study, const Table& heads) {
  const auto isDefined = [](const std::string& text) {
    return text.find('=') != std::string::npos && text.find("group:") == std::string::npos;
  };
  HeadGroups known, groups;
  try {
    known = groupsBeside(study);
  } catch (const InputError&) {
    if (texts.empty() || !std::ranges::all_of(texts, isDefined)) throw;
  }
  std::vector<std::string> wanted = texts;
  if (wanted.empty()) {
    for (const HeadGroup& group : known) wanted.push_back(group.name);
  }
  if (wanted.empty())
    throw UsageError("the study has no groups of heads: define one, such as induction=L5H1,L12H6");
  for (const std::string& text : wanted) {
    HeadGroup group = parseGroup(text, known, heads);
    if (std::ranges::find(groups, group.name, &HeadGroup::name) != groups.end())
      throw UsageError("group \"" + group.name + "\" is given twice");
    const auto same = std::ranges::find(known, group.name, &HeadGroup::name);
    if (same == known.end())
      known.push_back(group);
    else
      *same = group;
    groups.push_back(std::move(group));
  }
  return groups;
}

void chooseAgainst(GroupOptions& options, const std::string& against, const fs::path& study,
                   const Table& heads, const HeadGroups& groups) {
  options.other.reset();
  options.against = usualAgainst(heads, groups);
  if (against.empty()) return;
  const auto names = namesOf(GroupAgainst());
  const auto named = std::ranges::find(names, against);
  options.against = static_cast<GroupAgainst>(
      std::min(named - names.begin(), static_cast<std::ptrdiff_t>(GroupAgainst::Group)));
  if (options.against == GroupAgainst::Group) options.other = parseGroups({against}, study, heads).front();
}

std::vector<std::string> groupTexts(const HeadGroups& groups) {
  std::vector<std::string> texts;
  for (const HeadGroup& group : groups) texts.push_back(group.name + "=" + headListText(group.heads));
  return texts;
}

}  // namespace plastiscope
