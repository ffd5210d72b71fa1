#include "widgets/state/resource_path.h"

#include <QCoreApplication>

namespace fs = std::filesystem;

namespace plastiscope {

fs::path resourceFile(const fs::path& relative) {
  const fs::path program = QCoreApplication::applicationDirPath().toStdString();
  for (const fs::path& folder : {program / "../share/plastiscope", fs::path(PLASTISCOPE_SOURCE_RESOURCES)}) {
    std::error_code ignored;
    const fs::path file = folder / relative;
    if (fs::exists(file, ignored)) return fs::weakly_canonical(file, ignored);
  }
  return {};
}

fs::path exampleCapture() {
  const fs::path folder = resourceFile("example");
  if (folder.empty()) return {};
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".h5" && name.find(".analysis.") == std::string::npos)
      return entry.path();
  }
  return {};
}

}  // namespace plastiscope
