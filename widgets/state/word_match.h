#pragma once
// Search by words: the palette, and lists of metrics.
#include <QString>
#include <QStringList>

namespace plastiscope {

// How well an entry matches what was typed; < 0: not at all. Each typed word must begin a word of the title
// or of `words`, by which the entry is found as well, or stand for one of them ("ablate": without). Several
// words may be typed as one, "l12h6" for "L12 H6". Words of the title, and whole ones, count more.
int wordScore(const QString& typed, const QString& title, const QString& words = {});

}  // namespace plastiscope
