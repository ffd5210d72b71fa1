#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/model/discovery.h"

namespace plastiscope {

namespace {

Json toJson(const FoundModel& model) {
  Json value{{"name", model.name},
             {"path", model.path.string()},
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
      std::printf("%s\n", list.dump(2).c_str());
      return;
    }
    if (found.empty()) {
      std::printf(
          "No models found in the Hugging Face cache, LM Studio or Ollama; name folders with --folder.\n");
    }
    for (const FoundModel& model : found) {
      std::printf("%s\n  %s, %s, %s%s%s\n", model.name.c_str(), model.source.c_str(),
                  model.architecture.empty() ? "unknown architecture" : model.architecture.c_str(),
                  byteText(model.bytes).c_str(), model.date.empty() ? "" : ", ", model.date.c_str());
      std::printf("  %s\n", model.card ? shapeText(*model.card).c_str() : model.problem.c_str());
    }
  };
}

}  // namespace plastiscope
