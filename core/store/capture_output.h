#pragma once
// Locks the place of a capture's output and checks what is there already.
#include <filesystem>
#include <string>

#include "core/base/json_value.h"

namespace plastiscope {

// Lock of a process that writes `out`: the file OUT.partial/lock. The system releases it when the process
// ends, in any way.
class OutputLock {
 public:
  // Creates the folder. InputError if another process holds the lock or the place is not writable,
  // ResourceError if the disk is full.
  explicit OutputLock(const std::filesystem::path& out);
  ~OutputLock();  // removes the folder if it holds only the lock
  OutputLock(OutputLock&& other) noexcept;
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

  static std::filesystem::path folderFor(const std::filesystem::path& out);  // "a.h5" -> "a.h5.partial"
  // Whether a process holds the lock: on this computer, or on any that shares the file system's locks.
  static bool isHeld(const std::filesystem::path& out);
  // Name of another computer whose process holds the lock, or was killed while holding it, on a file system
  // without shared locks; "" = none.
  static std::string holderElsewhere(const std::filesystem::path& out);
  const std::filesystem::path& folder() const { return m_folder; }
  void discardFolder();  // removes the folder with all contents and the lock

 private:
  void acquire();
  bool lockWithoutFileLocks();
  void writeName();
  void release();

  std::filesystem::path m_folder;
  int m_lock = -1, m_hostLock = -1;
  bool m_named = false;  // this computer's name is written to the lock file
};

// Whether `out` is a finished capture with these settings, with or without its texts. False if there is no
// file, or one that is no capture. UsageError naming the differences if it is another capture; InputError if
// it is damaged.
bool isFinishedCapture(const std::filesystem::path& out, const Json& settings, bool texts);

// Lists every leaf that differs between two JSON objects: "window: 4096 there, 8192 now; model.dtype: absent
// there, "bf16" now". The words after the values can be chosen. "" if they are equal.
std::string settingDifferences(const Json& there, const Json& now, const std::string& thereWord = "there",
                               const std::string& nowWord = "now");

}  // namespace plastiscope
