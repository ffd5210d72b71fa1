#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <iterator>

#include "app/cli/command.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/model/model.h"
#include "core/text/text_sniff.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

namespace {

std::string readText(const std::string& source) {
  if (source == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  return readFile(source);
}

void printPlain(const std::vector<std::int32_t>& ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) std::printf("%s%d", i == 0 ? "" : " ", ids[i]);
  std::printf("\n");
}

void printJson(const Encoding& encoding) {
  Json offsets = Json::array();
  for (const auto& [begin, end] : encoding.offsets) offsets.push_back({begin, end});
  std::printf("%s\n", canonicalJson({{"tokens", encoding.ids}, {"offsets", offsets}}).c_str());
}

}  // namespace

CommandRun addTokenize(CLI::App& app, GlobalOptions& /*global*/) {
  struct Options {
    std::string model, text = "-";
    bool noSpecial = false, json = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("--model", options->model, "Model folder, GGUF file or cached name")->required();
  app.add_option("--text,TEXT", options->text, "Text file, or - for standard input")->capture_default_str();
  app.add_flag("--no-special", options->noSpecial, "Leave out what the model's template adds (BOS, EOS)");
  app.add_flag("--json", options->json, "Ids and byte offsets as one JSON object");
  return [options](const GlobalOptions&, Progress& progress) {
    const auto tokenizer = openTokenizer(resolveModelPath(options->model));
    const std::string text = plainTextOf(readText(options->text),
                                         options->text == "-" ? "standard input" : options->text, progress);
    const Encoding encoding = tokenizer->encode(text, !options->noSpecial, &progress);
    if (options->json) {
      printJson(encoding);
    } else {
      printPlain(encoding.ids);
    }
  };
}

}  // namespace plastiscope
