#include "widgets/state/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QFontInfo>
#include <QListView>
#include <QProxyStyle>
#include <QRegularExpression>
#include <QStyleFactory>
#include <array>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"

namespace plastiscope {
namespace {

QByteArray resourceBytes(const QString& name) {
  QFile file(name);
  if (!file.open(QIODevice::ReadOnly)) {
    throw Error(ErrorKind::Internal, "the program's resource " + name.toStdString() + " is missing");
  }
  return file.readAll();
}

constexpr std::array<std::pair<QPalette::ColorRole, const char*>, 18> kPaletteRoles = {{
    {QPalette::Window, "window"},
    {QPalette::WindowText, "text"},
    {QPalette::Base, "view"},
    {QPalette::AlternateBase, "alternate"},
    {QPalette::Text, "text"},
    {QPalette::Button, "button"},
    {QPalette::ButtonText, "text"},
    {QPalette::BrightText, "text"},
    {QPalette::Highlight, "row"},
    {QPalette::HighlightedText, "row_text"},
    {QPalette::ToolTipBase, "tip"},
    {QPalette::ToolTipText, "text"},
    {QPalette::PlaceholderText, "placeholder"},
    {QPalette::Link, "link"},
    {QPalette::LinkVisited, "link"},
    {QPalette::Light, "light_edge"},
    {QPalette::Mid, "border"},
    {QPalette::Midlight, "soft"},
}};

// Without a desktop font Qt falls back to the first sans serif, often a wide one.
QFont baseFont(const QFont& given) {
  QFont font = given;
  const QString family = QFontInfo(given).family();
  const bool desktopChose =
      family != QLatin1String("DejaVu Sans") && family != QLatin1String("Sans Serif") && !family.isEmpty();
  if (!desktopChose) {
    for (const char* better : {"Noto Sans", "Cantarell", "Liberation Sans"}) {
      if (!QFontDatabase::hasFamily(QString::fromLatin1(better))) continue;
      font.setFamily(QString::fromLatin1(better));
      font.setPointSizeF(9.75);
      break;
    }
  }
  return font;
}

// Separators as QComboBox::insertSeparator marks them.
bool hasSeparator(const QAbstractItemModel* choices) {
  for (int row = 0; choices && row < choices->rowCount(); ++row) {
    if (choices->index(row, 0).data(Qt::AccessibleDescriptionRole) == QLatin1String("separator")) return true;
  }
  return false;
}

// Fusion; menu shortcuts are underlined only while Alt is held. Items of combo boxes without separators have
// equal heights, so that one is measured for all when the style changes.
class WindowStyle : public QProxyStyle {
 public:
  WindowStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}
  using QProxyStyle::polish;
  void polish(QWidget* widget) override {
    QProxyStyle::polish(widget);
    if (auto* list = qobject_cast<QListView*>(widget); list && list->inherits("QComboBoxListView"))
      list->setUniformItemSizes(!hasSeparator(list->model()));
  }
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override {
    if (hint == SH_UnderlineShortcut)
      return QGuiApplication::queryKeyboardModifiers() & Qt::AltModifier ? 1 : 0;
    return QProxyStyle::styleHint(hint, option, widget, data);
  }
};

}  // namespace

ThemeColours loadTheme(const QString& name) {
  const QByteArray bytes = resourceBytes(QStringLiteral(":/plastiscope/themes/%1.json").arg(name));
  const Json root = parseJson(bytes.toStdString(), (name + QStringLiteral(".json")).toStdString());
  ThemeColours result;
  result.name = name;
  result.dark = root.at("dark").get<bool>();
  for (const auto& [role, value] : root.at("colours").items()) {
    const QColor colour(QString::fromStdString(value.get<std::string>()));
    if (!colour.isValid())
      throw Error(ErrorKind::Internal, "theme " + name.toStdString() + ": bad colour of " + role);
    result.colours.insert(QString::fromStdString(role), colour);
  }
  return result;
}

QPalette paletteOf(const ThemeColours& theme) {
  QPalette palette;
  for (const auto& [role, name] : kPaletteRoles) palette.setColor(role, theme[QString::fromLatin1(name)]);
  palette.setColor(QPalette::Dark, theme[QStringLiteral("border")].darker(110));
  palette.setColor(QPalette::Shadow, theme.dark ? QColor(0, 0, 0) : QColor(120, 124, 128));
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, theme[QStringLiteral("placeholder")]);
  palette.setColor(QPalette::Disabled, QPalette::Base, theme[QStringLiteral("window")]);
  palette.setColor(QPalette::Disabled, QPalette::Highlight, theme[QStringLiteral("border")]);
  return palette;
}

QString styleSheetOf(const ThemeColours& theme) {
  QString sheet = QString::fromUtf8(resourceBytes(QStringLiteral(":/plastiscope/themes/window.qss")));
  static const QRegularExpression kName(QStringLiteral("@([a-z_]+)"));
  QString result;
  qsizetype done = 0;
  for (auto match = kName.globalMatch(sheet); match.hasNext();) {
    const auto hit = match.next();
    result += sheet.mid(done, hit.capturedStart() - done) + theme[hit.captured(1)].name();
    done = hit.capturedEnd();
  }
  result += sheet.mid(done);
  return result.replace(QStringLiteral("%theme%"), theme.name);
}

bool systemIsDark() {
  static const bool dark = qApp->palette().color(QPalette::Window).lightness() < 128;
  return dark;
}

void applyTheme(QApplication& application, const QString& choice, double fontPoints) {
  const bool systemDark = systemIsDark();  // remembers the desktop's palette on the first call
  static const QFont kFont = baseFont(application.font());
  const bool dark = choice == QLatin1String("dark") || (choice == QLatin1String("system") && systemDark);
  const ThemeColours theme = loadTheme(dark ? QStringLiteral("dark") : QStringLiteral("light"));
  // Each of these polishes every widget of the window: skips unchanged settings.
  constexpr const char* kStyled = "windowStyle";
  if (!application.property(kStyled).toBool()) application.setStyle(new WindowStyle);
  application.setProperty(kStyled, true);
  QFont font = kFont;
  if (fontPoints > 0) font.setPointSizeF(fontPoints);
  if (font != application.font()) application.setFont(font);
  application.setPalette(paletteOf(theme));
  // Replacing a style sheet polishes each widget once per ancestor (Qt 6.4 to 6.8: 7.7 times here), setting
  // the first one only once.
  application.setStyleSheet({});
  application.setStyleSheet(styleSheetOf(theme));
}

const ThemeColours& currentTheme() {
  static const ThemeColours kLight = loadTheme(QStringLiteral("light"));
  static const ThemeColours kDark = loadTheme(QStringLiteral("dark"));
  return QGuiApplication::palette().color(QPalette::Window).lightness() < 128 ? kDark : kLight;
}

}  // namespace plastiscope
