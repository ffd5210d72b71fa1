#pragma once
// The window's look, as data: resources/themes/light.json and dark.json name every colour once; window.qss
// uses them.
#include <QColor>
#include <QHash>
#include <QPalette>
#include <QString>

class QApplication;

namespace plastiscope {

struct ThemeColours {
  QString name;  // "light", "dark"
  bool dark = false;
  QHash<QString, QColor> colours;  // "window", "view", "muted", "accent", "selection", ...

  QColor operator[](const QString& role) const { return colours.value(role, Qt::magenta); }
};

// Error (internal) when the resource is damaged.
ThemeColours loadTheme(const QString& name);
QPalette paletteOf(const ThemeColours& theme);
QString styleSheetOf(const ThemeColours& theme);

// Fusion, palette, style sheet and base font for the whole program. `choice`: system, light or dark; system
// follows what the desktop had before the program chose (ask systemIsDark() before the first call).
// `fontPoints`: size of the texts; 0 = as the desktop has it.
void applyTheme(QApplication& application, const QString& choice, double fontPoints = 0);
bool systemIsDark();

// The colours in use (by the program's palette), for widgets that paint themselves.
const ThemeColours& currentTheme();

}  // namespace plastiscope
