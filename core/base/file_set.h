#pragma once
// Files of one folder that belong together.
#include <filesystem>
#include <string>
#include <vector>

namespace plastiscope {

struct NewFile {
  std::string name, content;
};

// All of them or none: each is written and made durable under a temporary name, then they take their names in
// this order; when one cannot, those before it are taken back. Then `obsolete` names of the folder go. Other
// files stay as they are. InputError, ResourceError.
void writeFilesTogether(const std::filesystem::path& folder, const std::vector<NewFile>& files,
                        const std::vector<std::string>& obsolete);

}  // namespace plastiscope
