#pragma once
// Writes messages as texts by the chat template of a model, with jinja2 in a Python process.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/text/corpus.h"

namespace plastiscope {

// Replaces every text by what the template makes of its messages, or of the text as one message of a user.
// `place`: a model folder, a tokenizer file in one, or a GGUF file. `python`: as for --python. UsageError if
// no Python has jinja2; InputError if there is no template, or naming the text that it refuses.
void applyChatTemplate(const std::filesystem::path& place, const std::string& python,
                       std::vector<CorpusText>& texts, const Progress& progress);

}  // namespace plastiscope
