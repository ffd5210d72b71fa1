#pragma once
// Imported columns: their section in menus, and units that are known while the program runs. Thread-safe.
#include <map>
#include <mutex>
#include <string>

namespace plastiscope {

inline constexpr const char* kImportedGroup = "Imported";

// The unit of a column, "" = not known; `unit` replaces it.
inline std::string columnUnit(const std::string& column, const std::string* unit = nullptr) {
  static std::mutex mutex;
  static std::map<std::string, std::string> units;
  const std::lock_guard lock(mutex);
  return unit != nullptr ? units[column] = *unit : units[column];
}

}  // namespace plastiscope
