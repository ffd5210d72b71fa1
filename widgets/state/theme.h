#pragma once
// Theme of the window: resources/themes/light.json and dark.json define every colour once; window.qss uses
// them.
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

// Applies Fusion, palette, style sheet and base font to the whole program. `choice`: system, light or dark;
// system is the desktop's theme at the start (call systemIsDark() before the first call). `fontPoints`: font
// size; 0 = desktop default.
void applyTheme(QApplication& application, const QString& choice, double fontPoints = 0);
bool systemIsDark();

// The current colours (from the program's palette), for widgets that paint themselves.
const ThemeColours& currentTheme();

}  // namespace plastiscope
