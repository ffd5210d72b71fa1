#pragma once
// How a family of models is called in figures.
#include <QString>
#include <string>

namespace plastiscope {

QString familyTitle(const std::string& family);  // "Llama"; rich text

}  // namespace plastiscope
