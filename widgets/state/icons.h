#pragma once
// Line icons in the colour of the text around them, and the marks of model families. Both follow a theme
// switch by themselves.
#include <QIcon>
#include <QString>

namespace plastiscope {

// resources/icons/NAME.svg. `role`: a theme colour; "" = the palette's text.
QIcon lineIcon(const QString& name, const QString& role = {});

// The mark of an architecture: colour and marker (resources/themes/families.json); a grey ring for an unknown
// one.
QIcon familyIcon(const QString& architecture);
QColor familyColour(const QString& architecture);

}  // namespace plastiscope
