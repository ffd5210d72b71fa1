#include "widgets/state/capture_command.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "widgets/state/file_text.h"

namespace plastiscope {

QStringList captureArguments(const CaptureRequest& request) {
  QStringList arguments;
  for (const std::string& argument : request.arguments()) arguments << QString::fromStdString(argument);
  return arguments;
}

QStringList captureChildArguments(const QStringList& arguments) {
  const QString part = QStringLiteral("--part");
  const QStringList all = QStringList{QStringLiteral("capture")} + arguments;
  return arguments.contains(part) ? all : all + QStringList{part, QStringLiteral("0/1")};
}

QString captureCommandText(const CaptureRequest& request) {
  CaptureRequest shown = request;
  if (shown.model.empty()) shown.model = "MODEL";  // still to be chosen
  return shellCommand(QStringLiteral("plastiscope-cli capture"), captureArguments(shown));
}

double suggestedRate(std::int64_t tokensAfterCut, std::int64_t bucketSize) {
  constexpr double kWantedRows = 2000;  // full profiles and maps
  if (tokensAfterCut <= 0 || bucketSize <= 0) return 1;
  const double rowsAtOne = static_cast<double>(tokensAfterCut) / static_cast<double>(bucketSize);
  return std::clamp(std::ceil(kWantedRows / rowsAtOne), 1.0, static_cast<double>(bucketSize));
}

std::string windowText(std::int64_t tokens) {
  if (tokens >= 1024 && tokens % 1024 == 0) return std::to_string(tokens / 1024) + "k";
  return std::to_string(tokens);
}

std::string suggestedCaptureName(const std::string& model, const std::string& texts, std::int64_t window) {
  std::string name = model + " " + texts;
  if (window > 0) name += " " + windowText(window);
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool kept = std::isalnum(byte) || byte >= 0x80 || c == '-' || c == '_' || c == '.' || c == ' ';
    result += kept ? static_cast<char>(std::tolower(byte)) : '-';
  }
  while (!result.empty() && (result.front() == '.' || result.front() == ' ')) result.erase(result.begin());
  return (result.empty() ? "capture" : result) + ".h5";
}

}  // namespace plastiscope
