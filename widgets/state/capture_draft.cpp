#include "widgets/state/capture_draft.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "widgets/state/file_text.h"
#include "widgets/state/shell_text.h"

namespace plastiscope {
namespace {

QString text(const std::string& value) {
  return QString::fromStdString(value);
}

struct OptionList {
  QStringList arguments;
  void add(const char* name, const QString& value) { arguments << QString::fromLatin1(name) << value; }
  void addUnless(const char* name, const std::string& value, const std::string& standard) {
    if (value != standard) add(name, text(value));
  }
  void addIfGiven(const char* name, const std::string& value) { addUnless(name, value, ""); }
  void addFlag(const char* name, bool on) {
    if (on) arguments << QString::fromLatin1(name);
  }
};

void addCorpus(OptionList& options, const CorpusOptions& corpus) {
  if (!corpus.files.empty()) options.arguments << QStringLiteral("--text");
  for (const auto& file : corpus.files) options.arguments << fileText(file);
  options.addIfGiven("--text-field", corpus.textField);
  options.addIfGiven("--id-field", corpus.idField);
  for (const auto& [key, value] : corpus.select) options.add("--select", text(key + "=" + value));
  if (corpus.maxExamples > 0) options.add("--max-examples", QString::number(corpus.maxExamples));
}

}  // namespace

QStringList captureArguments(const CaptureDraft& draft) {
  const CapturePlan& plan = draft.plan;
  const CapturePlan standard;
  OptionList options;
  options.add("--model", fileText(draft.model));
  addCorpus(options, draft.corpus);
  options.addIfGiven("--tokens", pathText(draft.tokens));
  if (plan.window > 0) options.add("--window", QString::number(plan.window));
  options.addUnless("--sampler", plan.sampler, standard.sampler);
  if (plan.bucketSize > 0) options.add("--bucket-size", QString::number(plan.bucketSize));
  if (plan.rate != standard.rate) options.add("--rate", text(numberText(plan.rate)));
  if (plan.sampleSeed) options.add("--sample-seed", QString::number(*plan.sampleSeed));
  options.addUnless("--heads", plan.heads, standard.heads);
  if (plan.headSeed != standard.headSeed) options.add("--head-seed", QString::number(plan.headSeed));
  options.addFlag("--all-layers", plan.allLayers);
  options.addFlag("--no-author-parity", !plan.authorParity);
  options.addUnless("--point", plan.point, standard.point);
  options.addFlag("--paired", plan.paired);
  options.addUnless("--dtype", plan.dtype, standard.dtype);
  options.addUnless("--store", plan.store, standard.store);
  options.addUnless("--device", plan.device, standard.device);
  if (!plan.ropeOverride->is_null()) options.add("--rope-override", text(plan.ropeOverride->dump()));
  options.addIfGiven("--ablate", plan.ablate);
  options.addIfGiven("--clamp-bias", plan.clampBias);
  options.addIfGiven("--clamp-from", pathText(draft.clampFrom));
  if (draft.memoryLimit > 0) options.add("--memory-limit", QStringLiteral("%1MiB").arg(draft.memoryLimit));
  options.addFlag("--no-texts", !draft.storeTexts);
  options.addIfGiven("--part", draft.part);
  options.addFlag("--fresh", draft.fresh);
  if (!draft.out.empty()) options.add("--out", fileText(draft.out));
  return options.arguments;
}

QStringList captureChildArguments(const QStringList& arguments) {
  const QString part = QStringLiteral("--part");
  const QStringList all = QStringList{QStringLiteral("capture")} + arguments;
  return arguments.contains(part) ? all : all + QStringList{part, QStringLiteral("0/1")};
}

QString captureCommandText(const CaptureDraft& draft) {
  CaptureDraft shown = draft;
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
