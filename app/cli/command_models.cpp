#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/model/discovery.h"

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
  return std::to_string(card.layers) + " x " + std::to_string(card.queryHeads) + " / " +
         std::to_string(card.keyHeads) + " heads of " + std::to_string(card.headDim) + ", " +
         withCommas(card.contextLength) + " tokens, " + card.weightTypes;
}

}  // namespace

CommandRun addModels(CLI::App& app, GlobalOptions& /*global*/) {
  struct Options {
    std::vector<std::string> folders;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("--folder", options->folders, "Look here too; may be repeated");
  app.add_flag("--json", options->json, "As JSON");
  return [options](const GlobalOptions&, Progress&) {
    const auto found = findModels({options->folders.begin(), options->folders.end()});
    if (options->json) {
      Json list = Json::array();
      for (const FoundModel& model : found) list.push_back(toJson(model));
      std::printf("%s\n", indentedJson(list).c_str());
      return;
    }
    if (found.empty()) {
      std::printf(
          "No models found in the Hugging Face cache, LM Studio or Ollama; name folders with --folder.\n");
    }
    for (const FoundModel& model : found) {
      const std::string facts = model.source + ", " +
                                (model.architecture.empty() ? "unknown architecture" : model.architecture) +
                                ", " + byteText(model.bytes) + (model.date.empty() ? "" : ", ") + model.date;
      for (const std::string& line :
           {model.name, "  " + facts, "  " + (model.card ? shapeText(*model.card) : model.problem)}) {
        std::printf("%s\n", sanitized(line, kLongestMessage).c_str());
      }
    }
  };
}

}  // namespace plastiscope
