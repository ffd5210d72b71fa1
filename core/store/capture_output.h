#pragma once
// The place where a capture will be written: who writes it, and what is there already.
#include <filesystem>
#include <string>

#include "core/base/json_value.h"

namespace plastiscope {

// Held while this process writes `out`: the file OUT.partial/lock. The system takes it away with the process,
// however that ends.
class OutputLock {
 public:
  // Makes the folder. InputError when another process holds the lock or the place cannot be written,
  // ResourceError when the disk is full.
  explicit OutputLock(const std::filesystem::path& out);
  ~OutputLock();  // a folder with nothing but the lock in it goes too
  OutputLock(OutputLock&& other) noexcept;
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

  static std::filesystem::path folderFor(const std::filesystem::path& out);  // "a.h5" -> "a.h5.partial"
  // By this or another process: of this computer, or of any that shares the disk's locks.
  static bool isHeld(const std::filesystem::path& out);
  // The other computer one of whose processes holds the lock, or was killed while it did, where the disk's
  // locks do not reach it; "" = none.
  static std::string holderElsewhere(const std::filesystem::path& out);
  const std::filesystem::path& folder() const { return m_folder; }
  void discardFolder();  // everything in it, and the lock

 private:
  void acquire();
  bool lockWithoutFileLocks();
  void writeName();
  void release();

  std::filesystem::path m_folder;
  int m_lock = -1, m_hostLock = -1;
  bool m_named = false;  // this computer's name stands in the lock file
};

// Whether `out` is a finished capture with these settings, and with or without its texts. False when nothing
// is there, or something that is no capture. UsageError naming the differences when it is another capture;
// InputError when it is damaged.
bool isFinishedCapture(const std::filesystem::path& out, const Json& settings, bool texts);

// "window: 4096 there, 8192 now; model.dtype: absent there, "bf16" now": every leaf that differs between two
// JSON objects, with words for the one and the other. "" when they are equal.
std::string settingDifferences(const Json& there, const Json& now, const std::string& thereWord = "there",
                               const std::string& nowWord = "now");

}  // namespace plastiscope
