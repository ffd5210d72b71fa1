#pragma once
// Paints three small pictures of a study for the welcome page: heads by layer, a head's queries and keys,
// profiles. Uses images, so that it can run in a worker.
#include <QImage>
#include <array>

#include "core/views/study.h"

namespace plastiscope {

using PreviewPictures = std::array<QImage, 3>;

// `pixels`: size of each picture in device pixels. InputError when tables are missing.
PreviewPictures paintPreviews(const Study& study, QSize pixels, bool dark);

}  // namespace plastiscope
