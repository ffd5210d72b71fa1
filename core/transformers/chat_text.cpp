#include "core/transformers/chat_text.h"

#include <optional>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/text/tokenizer.h"
#include "core/transformers/python_finder.h"
#include "core/transformers/python_process.h"
#include "core/weights/gguf.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

// The folder with the template and its special tokens; for GGUF their values, named as in
// tokenizer_config.json.
Json templateAt(const fs::path& place) {
  std::error_code ignored;
  const fs::path folder = fs::is_directory(place, ignored) ? place : place.parent_path();
  if (place.extension() != ".gguf") return {{"folder", fs::absolute(folder).string()}};
  const auto file = openGguf(place);
  Json config{{"chat_template", file->text("tokenizer.chat_template").value_or("")}};
  const auto tokenizer = openTokenizer(place);
  for (const auto& [name, stored] :
       {std::pair("bos_token", "bos"), {"eos_token", "eos"}, {"unk_token", "unknown"}}) {
    const auto id = file->integer("tokenizer.ggml." + std::string(stored) + "_token_id");
    if (id) config[name] = tokenizer->tokenText(static_cast<std::int32_t>(*id));
  }
  return {{"config", config}};
}

}  // namespace

void applyChatTemplate(const fs::path& place, const std::string& python, std::vector<CorpusText>& texts,
                       const Progress& progress) {
  const std::optional<fs::path> program = findPython(python, "jinja2");
  if (!program) {
    throw UsageError("--chat-template needs a Python with jinja2, found " +
                     (python.empty() ? "none" : sanitized(python) + " without it") +
                     ": run pip install jinja2, or name another Python with --python");
  }
  PythonProcess process(*program, enginePackage(), "plastiscope.chat");
  const auto answer = [&](Json request, const std::string& where) {
    process.send(std::move(request), {}, progress);
    try {
      return textOr(process.next(progress).head, "text");
    } catch (const InputError& error) {
      throw InputError({place, "chat template" + where, "", error.what()});
    }
  };
  answer(templateAt(place), "");
  for (CorpusText& text : texts) {
    Json messages = *text.messages;
    if (messages.is_null()) messages = Json::array({{{"role", "user"}, {"content", text.text}}});
    text.text = answer({{"messages", std::move(messages)}}, ", text " + text.id);
    text.messages = {};
  }
}

}  // namespace plastiscope
