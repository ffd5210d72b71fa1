#include "widgets/plots/family_title.h"

#include <map>

namespace plastiscope {

QString familyTitle(const std::string& family) {
  static const std::map<std::string, QString> kTitles = {
      {"qwen3", QStringLiteral("Qwen3")},     {"llama3", QStringLiteral("Llama")},
      {"llama", QStringLiteral("Llama")},     {"ministral3", QStringLiteral("Ministral")},
      {"mistral", QStringLiteral("Mistral")}, {"smollm3", QStringLiteral("SmolLM3")}};
  const auto found = kTitles.find(family);
  if (found != kTitles.end()) return found->second;
  return family.empty() ? QStringLiteral("other") : QString::fromStdString(family).toHtmlEscaped();
}

}  // namespace plastiscope
