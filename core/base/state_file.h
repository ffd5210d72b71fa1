#pragma once
// Small file of program state (settings, session, layout): JSON with a format name, a version and a checksum.
// The last good copy is kept beside it; an unreadable file is renamed, never overwritten.
#include <filesystem>
#include <string>

#include "core/base/json_value.h"

namespace plastiscope {

class StateFile {
 public:
  enum class Copies { KeepPrevious, None };  // None: a document of the user, without copies

  // `format` such as "plastiscope-session"; files of a newer `version` are refused and not changed.
  StateFile(std::filesystem::path file, std::string format, int version,
            Copies copies = Copies::KeepPrevious);

  // The content; of the last good copy if the file is damaged; null if there is neither. `problem` (may be
  // null) receives one sentence on any failure.
  Json read(std::string* problem = nullptr) const;

  // The content of the file; InputError when it is missing, damaged or of a newer version.
  Json require() const;
  bool isOfNewerVersion() const;

  // Writes atomically and keeps the previous file as FILE.previous (Copies). Does nothing when the content is
  // unchanged or the file belongs to a newer version of the program. InputError or ResourceError when the
  // folder is not usable.
  void write(const Json& content);

  const std::filesystem::path& path() const { return m_file; }

 private:
  enum class Condition { Missing, Good, Damaged, Newer };
  Condition load(const std::filesystem::path& file, Json& content, std::string* problem) const;

  std::filesystem::path m_file;
  std::string m_format;
  int m_version;
  Copies m_copies;
};

// Format name in a state file, even if its rest is damaged; "" = not a state file. Reads only a part of the
// file.
std::string stateFormatOf(const std::filesystem::path& file);

}  // namespace plastiscope
