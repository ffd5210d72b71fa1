#pragma once
// A small file of the program's own state (settings, session, layout): JSON with a format name, a version and
// a check sum. The last good copy is kept beside it; a file that could not be read is set aside, never
// overwritten.
#include <filesystem>
#include <string>

#include "core/base/json_value.h"

namespace plastiscope {

class StateFile {
 public:
  enum class Copies { KeepPrevious, None };  // None: a document of the user, who keeps copies of his own

  // `format` such as "plastiscope-session"; files of a newer `version` are refused and left alone.
  StateFile(std::filesystem::path file, std::string format, int version,
            Copies copies = Copies::KeepPrevious);

  // The content; that of the last good copy when the file is damaged; null when there is neither. `problem`
  // (may be null) receives one sentence when something was wrong.
  Json read(std::string* problem = nullptr) const;

  // The content of the file itself; InputError when it is missing, damaged or of a newer version.
  Json require() const;
  bool isOfNewerVersion() const;

  // Writes atomically and keeps the file before it as FILE.previous (Copies). Does nothing when the content
  // is unchanged or the file belongs to a newer version of the program. InputError or ResourceError when the
  // place is not usable.
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

// The format that a file of the program's own state names, also when it is damaged further on; "" = it is
// none. Reads little of the file.
std::string stateFormatOf(const std::filesystem::path& file);

}  // namespace plastiscope
