#include "core/base/shipped_folder.h"

namespace plastiscope {

bool isShipped(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file.parent_path() / "plastiscope-shipped.txt", ignored);
}

}  // namespace plastiscope
