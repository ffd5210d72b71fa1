#pragma once
// Where windows and docks stand, kept between starts (layout.json in the settings folder).
#include <QByteArray>
#include <filesystem>

#include "widgets/state/state_file.h"

namespace plastiscope {

struct WindowLayout {
  QByteArray geometry;          // of the main window
  QByteArray docks;             // Library, Details, Help
  QByteArray modelPage;         // docks of model tabs; the last arranged tab is the pattern for new ones
  QByteArray comparePage = {};  // the same of compare tabs
};

class LayoutStore {
 public:
  explicit LayoutStore(const std::filesystem::path& folder);
  WindowLayout read() const;
  void write(const WindowLayout& layout);  // InputError, ResourceError

 private:
  StateFile m_file;
};

}  // namespace plastiscope
