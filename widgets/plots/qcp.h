#pragma once
// QCustomPlot spells Qt's keywords; the project builds with QT_NO_KEYWORDS. Included by .cpp files and
// private headers of this folder only.
#ifdef QT_NO_KEYWORDS
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit Q_EMIT
#define foreach Q_FOREACH
#endif
#include <qcustomplot.h>
#ifdef QT_NO_KEYWORDS
#undef signals
#undef slots
#undef emit
#undef foreach
#endif
