#include <cstdio>
#include <iostream>
#include <iterator>

#include "app/cli/command.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/model/discovery.h"
#include "core/model/model.h"
#include "core/text/text_sniff.h"
#include "core/text/tokenizer.h"
#include "core/text/unusual_tokens.h"

namespace plastiscope {

namespace {

Json toJson(const FoundModel& model) {
  Json value{{"name", model.name},
             {"path", pathText(model.path)},
             {"source", model.source},
             {"ref", model.ref},
             {"date", model.date},
             {"bytes", model.bytes},
             {"unfinished", model.unfinished},
             {"architecture", model.architecture}};
  if (model.card) value["card"] = toJson(*model.card);
  if (!model.problem.empty()) value["problem"] = model.problem;
  return value;
}

std::string shapeText(const ModelCard& card) {
  return std::to_string(card.spec.layerCount) + " x " + std::to_string(card.spec.queryHeads) + " / " +
         std::to_string(card.spec.keyHeads) + " heads of " + std::to_string(card.spec.headDim) + ", " +
         withCommas(card.spec.contextLength) + " tokens, " + card.weightTypes;
}

void printModels(const std::vector<FoundModel>& found) {
  if (found.empty()) {
    std::printf(
        "No models found in the Hugging Face cache, LM Studio or Ollama; name folders with --folder.\n");
  }
  for (const FoundModel& model : found) {
    const std::string facts = model.source + ", " +
                              (model.architecture.empty() ? "unknown architecture" : model.architecture) +
                              ", " + byteText(model.bytes) + (model.date.empty() ? "" : ", ") + model.date;
    for (const std::string& line :
         {model.name, "  " + facts, "  " + (model.card ? shapeText(*model.card) : model.problem)})
      printLine(line);
  }
}

std::string readText(const std::string& source) {
  if (source == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  return readFile(source);
}

void printTokenIds(const std::vector<std::int32_t>& ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) std::printf("%s%d", i == 0 ? "" : " ", ids[i]);
  std::printf("\n");
}

void printEncoding(const Encoding& encoding) {
  Json offsets = Json::array();
  for (const auto& [begin, end] : encoding.offsets) offsets.push_back({begin, end});
  std::printf("%s\n", canonicalJson({{"tokens", encoding.ids}, {"offsets", offsets}}).c_str());
}

}  // namespace

ProgramCommand modelsCommand(GlobalOptions&) {
  struct ModelsOptions {
    std::vector<std::string> folders;
    bool json = false;
  };
  auto o = std::make_shared<ModelsOptions>();
  const auto run = [o](const GlobalOptions&, Progress&) {
    const auto found = findModels({o->folders.begin(), o->folders.end()});
    if (!o->json) return printModels(found);
    Json list = Json::array();
    for (const FoundModel& model : found) list.push_back(toJson(model));
    std::printf("%s\n", indentedJson(list).c_str());
  };
  return {.options = {{"--folder", "", &o->folders, "Also search this folder; may be repeated"},
                      {"--json", "", &o->json, "Print as JSON"}},
          .run = run};
}

ProgramCommand tokenizeCommand(GlobalOptions&) {
  struct TokenizeOptions {
    std::string model, tokenizer, text = "-";
    bool noSpecial = false, json = false;
  };
  auto o = std::make_shared<TokenizeOptions>();
  const auto run = [o](const GlobalOptions&, Progress& progress) {
    const auto tokenizer = openTokenizer(o->tokenizer.empty() ? resolveModelPath(o->model)
                                                              : std::filesystem::path(o->tokenizer));
    const std::string text =
        plainTextOf(readText(o->text), o->text == "-" ? "standard input" : o->text, progress);
    const Encoding encoding = tokenizer->encode(text, !o->noSpecial, &progress);
    UnusualTokens unusual;
    unusual.add(*tokenizer, encoding, text);
    for (const std::string& warning : unusual.warnings()) progress.warned(warning);
    o->json ? printEncoding(encoding) : printTokenIds(encoding.ids);
  };
  return {
      .options = {{"--model", "", &o->model, "Model folder, GGUF file or cached name", {.required = true}},
                  {"--tokenizer", "", &o->tokenizer, "Tokenizer instead of the model's, as in capture"},
                  {"--text,TEXT", "", &o->text, "Text file, or - for standard input", {.showsDefault = true}},
                  {"--no-special", "", &o->noSpecial, "Leave out what the model's template adds (BOS, EOS)"},
                  {"--json", "", &o->json, "Print ids and byte offsets as one JSON object"}},
      .run = run};
}

}  // namespace plastiscope
