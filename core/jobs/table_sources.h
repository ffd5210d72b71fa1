#pragma once
// What tables are made of, for the folder that keeps them (core/store/table_folder.h).
#include <filesystem>

#include "core/store/capture_file.h"
#include "core/store/table_folder.h"

namespace plastiscope {

TableSource sourceOf(const CaptureFile& capture);
// A capture, as analysed with default settings, or an analysis. InputError for others.
TableSource sourceOfStudy(const std::filesystem::path& file);
// Any other file, by its bytes.
TableSource sourceOfFile(const std::filesystem::path& file);
// A benchmark that comes with the program, or the CSV file of a person.
TableSource sourceOfScores(const std::string& nameOrFile);
// Something that comes with the program.
TableSource shippedSource(const std::string& name);

}  // namespace plastiscope
