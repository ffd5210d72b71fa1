#pragma once
// Three small pictures of a study for the welcome page: heads by layer, a head's queries and keys, profiles.
// Painted into images, so a worker can do it.
#include <QImage>
#include <array>

#include "core/views/study.h"

namespace plastiscope {

using PreviewPictures = std::array<QImage, 3>;

// `pixels`: size of each picture in device pixels. InputError when tables are missing.
PreviewPictures paintPreviews(const Study& study, QSize pixels, bool dark);

}  // namespace plastiscope
