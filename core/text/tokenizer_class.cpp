// Tokenizers whose parts are in several files, assembled like the tokenizer classes of transformers 5.
#include "core/text/tokenizer_class.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/text/bpe.h"
#include "core/text/hf_parts.h"
#include "core/text/normalizers.h"
#include "core/text/unicode.h"
#include "core/text/unigram.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 28;
constexpr std::string_view kGeneric = "TokenizersBackend";

CheckedJson readBeside(const fs::path& folder, const char* name) {
  std::error_code code;
  if (!fs::is_regular_file(folder / name, code)) return {Json(), folder / name};
  return {readJsonFile(folder / name, kMaxBytes), folder / name};
}

// A tokenizer class of transformers 5: its steps and its default special tokens.
struct TokenizerClass {
  std::string_view name;
  bool byteLevel = false;
  std::vector<std::string_view> splits;  // rules of pre_split.h
  bool normalForm = false;               // apply NFC first
  NamedTokens tokens;
};

const std::vector<TokenizerClass> kClasses = {
    {kGeneric, false, {}, false, {}},
    {"LlamaTokenizer",
     false,
     {},
     false,
     {{"unk_token", "<unk>"}, {"bos_token", "<s>"}, {"eos_token", "</s>"}}},
    {"GemmaTokenizer",
     false,
     {},
     false,
     {{"unk_token", "<unk>"},
      {"bos_token", "<bos>"},
      {"eos_token", "<eos>"},
      {"pad_token", "<pad>"},
      {"mask_token", "<mask>"}}},
    {"Qwen2Tokenizer",
     true,
     {"qwen2"},
     true,
     {{"unk_token", "<|endoftext|>"}, {"eos_token", "<|endoftext|>"}, {"pad_token", "<|endoftext|>"}}},
    {"GPT2Tokenizer",
     true,
     {"gpt2"},
     false,
     {{"unk_token", "<|endoftext|>"}, {"bos_token", "<|endoftext|>"}, {"eos_token", "<|endoftext|>"}}},
    {"GPTNeoXTokenizer",
     true,
     {"gpt2"},
     true,
     {{"unk_token", "<|endoftext|>"},
      {"bos_token", "<|endoftext|>"},
      {"eos_token", "<|endoftext|>"},
      {"pad_token", "<|padding|>"}}},
    {"CohereTokenizer",
     true,
     {"digits", "gpt2"},
     true,
     {{"unk_token", "<UNK>"},
      {"bos_token", "<BOS_TOKEN>"},
      {"eos_token", "<|END_OF_TURN_TOKEN|>"},
      {"pad_token", "<PAD>"},
      {"cls_token", "<CLS>"},
      {"sep_token", "<SEP>"},
      {"mask_token", "<MASK_TOKEN>"}}},
};

// Classes that transformers registers for a model_type; `always`: overrides the class named in the files.
struct FamilyClass {
  std::string_view name;
  bool always;
  std::vector<std::string_view> modelTypes;
};
const std::vector<FamilyClass> kFamilies = {
    {kGeneric,
     true,
     {"ernie4_5", "glm", "glm4", "glm4_moe", "granite", "granitemoehybrid", "internlm3", "ministral",
      "ministral3", "mistral", "mistral3", "mixtral", "nemotron", "olmo2", "olmo3", "persimmon", "phi3",
      "stablelm"}},
    {"CohereTokenizer", false, {"cohere", "cohere2"}},
    {"GemmaTokenizer", false, {"gemma", "gemma2", "gemma3", "gemma3_text"}},
    {"Qwen2Tokenizer", true, {"qwen2"}},
    {"Qwen2Tokenizer", false, {"qwen2_moe", "qwen3", "qwen3_moe", "qwen3_next"}},
    {"Qwen3_5Tokenizer", true, {"qwen3_5"}},
    {"Qwen3_5Tokenizer", false, {"qwen3_5_text"}},
    {"GPT2Tokenizer", false, {"gpt2", "phi", "starcoder2"}},
    {"GPTNeoXTokenizer", false, {"gpt_neox", "olmo", "olmoe"}},
};

// nullptr for an unknown class. `name`: the name after the rules of transformers.
const TokenizerClass* findClass(const TokenizerFolder& folder, std::string& name) {
  const std::string type = folder.model.textOr("model_type", "");
  name = folder.config.textOr("tokenizer_class", folder.model.textOr("tokenizer_class", ""));
  if (name.ends_with("Fast")) name.resize(name.size() - 4);
  for (const FamilyClass& family : kFamilies) {
    if (std::ranges::count(family.modelTypes, type) > 0 && (name.empty() || family.always))
      name = family.name;
  }
  if (name.empty() || name == "PreTrainedTokenizer") name = kGeneric;
  const auto found = std::ranges::find(kClasses, name, &TokenizerClass::name);
  return found == kClasses.end() ? nullptr : &*found;
}

const TokenizerClass& classOf(const TokenizerFolder& folder) {
  std::string name;
  const TokenizerClass* found = findClass(folder, name);
  if (found == nullptr)
    folder.config.refuse("tokenizer_class",
                         "one of " + joined(kClasses, &TokenizerClass::name) +
                             "; or a tokenizer.json, which transformers' save_pretrained writes",
                         "\"" + name + "\"");
  return *found;
}

// Sets the normalizers and splits of a class.
void setSteps(const TokenizerClass& kind, const TokenizerFolder& folder, TokenizerParts& parts) {
  const bool llama = kind.name == "LlamaTokenizer", prefix = folder.config.flagOr("add_prefix_space", llama);
  parts.normalizers.clear();
  parts.splits.clear();
  if (kind.normalForm) parts.normalizers.push_back(makeNormalForm("NFC"));
  if (!kind.byteLevel && !llama) parts.normalizers.push_back(makeReplace(" ", "\u2581"));
  if (llama) {
    const bool legacy = folder.config.flagOr("legacy", false);
    parts.splits.emplace_back(Metaspace{"\u2581",
                                        !prefix  ? Metaspace::Prepend::Never
                                        : legacy ? Metaspace::Prepend::Always
                                                 : Metaspace::Prepend::First,
                                        false});
  }
  for (const std::string_view name : kind.splits) {
    const CutStep cut{findSplitRule(name)->scan, SplitBehavior::Isolated, false};
    const bool first = prefix && name == kind.splits.back();
    // The step that adds the space contains the GPT-2 rule; other rules run before it.
    if (first && name == "gpt2") parts.splits.emplace_back(PrefixSpace{});
    parts.splits.emplace_back(cut);
    if (first && name != "gpt2") parts.splits.emplace_back(PrefixSpace{});
  }
}

AddTemplate templateOf(const TokenizerFolder& folder, const NamedTokens& named, const TokenizerParts& parts,
                       const IdOfText& idOf) {
  const auto add = [&](const char* flag, const char* name, std::vector<std::int32_t>& ids) {
    const auto text = named.find(name);
    if (!folder.config.flagOr(flag, false) || text == named.end()) return;
    const auto added = std::ranges::find(parts.added, text->second, &AddedToken::text);
    if (added != parts.added.end())
      ids.push_back(added->id);
    else if (const auto id = idOf(text->second))
      ids.push_back(*id);
  };
  AddTemplate around;
  add("add_bos_token", "bos_token", around.before);
  add("add_eos_token", "eos_token", around.after);
  return around;
}

// Two tokens merge if their concatenation is a token, smallest id first.
MergeTexts derivedTexts(const TokenTexts& tokens,
                        const std::unordered_map<std::string_view, std::int32_t>& ids) {
  MergeTexts merges;
  for (const auto& [text, id] : tokens) {
    for (std::size_t cut = 0; cut < text.size();) {
      nextCodePoint(text, cut);
      if (cut == text.size()) break;
      if (ids.contains(std::string_view(text).substr(0, cut)) &&
          ids.contains(std::string_view(text).substr(cut)))
        merges.emplace_back(text.substr(0, cut), text.substr(cut));
    }
  }
  return merges;
}

IdOfText lookup(const TokenTexts& tokens) {
  auto ids = std::make_shared<std::unordered_map<std::string, std::int32_t>>(tokens.begin(), tokens.end());
  return [ids](const std::string& text) -> std::optional<std::int32_t> {
    const auto found = ids->find(text);
    if (found == ids->end()) return std::nullopt;
    return found->second;
  };
}

std::shared_ptr<const Tokenizer> finished(const TokenizerFolder& folder, const NamedTokens& defaults,
                                          const std::vector<AddedToken>& extra, std::size_t size,
                                          const IdOfText& idOf, TokenizerParts parts) {
  parts.vocabularySize = static_cast<std::int64_t>(size);
  const NamedTokens named = addTokensBeside(folder, defaults, extra, idOf, parts);
  const AddTemplate around = templateOf(folder, named, parts, idOf);
  if (!around.before.empty() || !around.after.empty()) parts.postSteps.emplace_back(around);
  return makePipelineTokenizer(std::move(parts));
}

}  // namespace

TokenizerFolder::TokenizerFolder(const fs::path& folder)
    : config(readBeside(folder, "tokenizer_config.json")),
      special(readBeside(folder, "special_tokens_map.json")),
      added(readBeside(folder, "added_tokens.json")),
      model(readBeside(folder, "config.json")) {}

bool TokenizerFolder::any() const {
  return config.json().is_object() || special.json().is_object() || added.json().is_object() ||
         model.json().is_object();
}

NamedTokens addTokensBeside(const TokenizerFolder& folder, NamedTokens named, std::vector<AddedToken> extra,
                            const IdOfText& idOf, TokenizerParts& parts) {
  // added_tokens_decoder in tokenizer_config.json overrides the other two files.
  const bool decoder = folder.config.has("added_tokens_decoder");
  std::vector<AddedToken> wanted, fromNames;
  std::set<std::string> isSpecial;
  for (const CheckedJson* file : {&folder.config, &folder.special}) {
    if (file == &folder.special && decoder) break;
    for (const char* key : kNamedTokens) {
      if (!file->json().is_object() || !file->json().contains(key)) continue;
      named.erase(key);
      std::erase_if(fromNames, [&](const AddedToken& token) { return token.name == key; });
      if (!file->has(key)) continue;
      AddedToken token = readAddedToken(file->child(key), true);
      token.name = key;
      named[key] = token.text;
      isSpecial.insert(token.text);
      fromNames.push_back(std::move(token));
    }
    const bool own = file == &folder.config;
    for (const char* key : {"extra_special_tokens", "additional_special_tokens"}) {
      if (!file->has(key) || !file->child(key).json().is_array()) continue;
      if (!own &&
          (folder.config.has("extra_special_tokens") || folder.config.has("additional_special_tokens")))
        break;
      if (!own && std::string_view(key).starts_with("add") && parts.fromSentencePiece) break;
      extra.clear();
      for (const CheckedJson& node : file->child(key).items()) {
        extra.push_back(readAddedToken(node, true));
        isSpecial.insert(extra.back().text);
      }
      break;
    }
  }
  const CheckedJson stated = decoder ? folder.config.child("added_tokens_decoder") : folder.added;
  if (stated.json().is_object()) {
    for (const auto& [key, value] : stated.json().items()) {
      const CheckedJson node = stated.inside(value, (decoder ? "added_tokens_decoder." : "") + key);
      AddedToken token;
      if (decoder) {
        token = readAddedToken(node, false);
        token.id = tokenId(stated.inside(parseJson(key, stated.file()), node.place()));
      } else {
        token.text = key;
        token.id = tokenId(node);
        token.special = isSpecial.contains(key);
        token.normalized = !token.special;
      }
      wanted.push_back(std::move(token));
    }
    std::ranges::sort(wanted, {}, &AddedToken::id);
  }
  const std::size_t numbered = wanted.size();
  for (const char* key : kNamedTokens) {
    const auto text = named.find(key);
    if (text == named.end()) continue;
    const auto given = std::ranges::find(fromNames, key, &AddedToken::name);
    AddedToken token;
    token.text = text->second;
    wanted.push_back(given == fromNames.end() ? token : *given);
  }
  wanted.insert(wanted.end(), extra.begin(), extra.end());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    AddedToken token = wanted[i];
    if (std::ranges::find(parts.added, token.text, &AddedToken::text) != parts.added.end()) continue;
    std::int64_t next = parts.vocabularySize;
    for (const AddedToken& other : parts.added) next = std::max<std::int64_t>(next, other.id + 1);
    const auto known = idOf(token.text);
    const auto id = known.value_or(static_cast<std::int32_t>(next));
    if (i < numbered && token.id != id) {
      stated.refuse("\"" + token.text + "\"",
                    (known ? "the id that the vocabulary has, " : "the next free id, ") + std::to_string(id),
                    std::to_string(token.id));
    }
    token.id = id;
    if (!known) parts.vocabularySize = std::max<std::int64_t>(parts.vocabularySize, id + 1);
    parts.added.push_back(std::move(token));
  }
  std::string name;
  const TokenizerClass* kind = findClass(folder, name);
  if (kind == nullptr || kind->name != "Qwen2Tokenizer") return named;
  for (AddedToken& token : parts.added) {  // the class adds its named tokens a second time, without flags
    const auto sameText = [&](const auto& entry) { return entry.second == token.text; };
    if (std::ranges::none_of(named, sameText)) continue;
    token.singleWord = token.stripLeft = token.stripRight = token.normalized = false;
  }
  return named;
}

NamedTokens useClassOf(const TokenizerFolder& folder, bool byteLevel, TokenizerParts& parts) {
  std::string name;
  const TokenizerClass* kind = findClass(folder, name);
  if (kind == nullptr || kind->name == kGeneric || kind->byteLevel != byteLevel) return {};
  setSteps(*kind, folder, parts);
  if (folder.config.has("added_tokens_decoder")) parts.added.clear();
  return kind->tokens;
}

std::shared_ptr<const Tokenizer> openSentencePieceClass(const TokenizerFolder& folder,
                                                        SentencePieceModel model, bool unigram,
                                                        NamedTokens ownTokens) {
  const TokenizerClass& kind = classOf(folder);
  if (kind.byteLevel) {
    throw InputError({model.file, "tokenizer_class",
                      "a class of SentencePiece models (LlamaTokenizer, GemmaTokenizer)",
                      std::string(kind.name) + "; its vocab.json and merges.txt are missing"});
  }
  const bool generic = kind.name == kGeneric, llama = kind.name == "LlamaTokenizer";
  TokenizerParts parts;
  parts.file = model.file;
  parts.fromSentencePiece = true;
  if (generic && folder.config.has("added_tokens_decoder")) {  // texts of unused pieces
    for (const auto& [key, value] : folder.config.child("added_tokens_decoder").json().items()) {
      const auto id = static_cast<std::size_t>(std::strtoull(key.c_str(), nullptr, 10));
      const CheckedJson node = folder.config.inside(value, "added_tokens_decoder." + key);
      const std::string text = node.text("content");
      const bool used = std::ranges::find(model.pieces, text, &SentencePiece::text) != model.pieces.end();
      if (id < model.pieces.size() && !used) model.pieces[id].text = text;
    }
  }
  TokenTexts tokens;
  std::vector<AddedToken> extra;
  std::unordered_map<std::string_view, std::int32_t> ids;
  std::int32_t unknown = 0;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const SentencePiece& piece = model.pieces[i];
    const auto id = static_cast<std::int32_t>(i);
    tokens.emplace_back(piece.text, id);
    ids.emplace(piece.text, id);
    if (piece.kind == PieceKind::Unknown) unknown = id;
    if (piece.kind != PieceKind::Control && piece.kind != PieceKind::UserDefined) continue;
    extra.emplace_back();
    extra.back().text = piece.text;
  }
  if (generic && unigram) {
    UnigramVocabulary vocabulary;
    vocabulary.file = model.file;
    vocabulary.byteFallback = model.byteFallback;
    vocabulary.unknown = unknown;
    for (const SentencePiece& piece : model.pieces) vocabulary.tokens.push_back({piece.text, piece.score});
    parts.model = makeUnigram(std::move(vocabulary));
  } else {
    BytePairVocabulary vocabulary;
    vocabulary.file = model.file;
    vocabulary.tokens = tokens;
    vocabulary.merges = derivedTexts(tokens, ids);
    vocabulary.byteFallback = !generic || model.byteFallback;
    vocabulary.fuseUnknown = true;
    if (!llama) vocabulary.unknown = unknown;
    parts.model = std::make_shared<CharPair>(vocabulary);
  }
  setSteps(kind, folder, parts);
  if (generic && !model.charsmap.empty())
    parts.normalizers.insert(parts.normalizers.begin(), makePrecompiled(PrecompiledCharsmap(
                                                            model.charsmap, model.file, "normalizer_spec")));
  return finished(folder, generic ? std::move(ownTokens) : kind.tokens, extra, tokens.size(), lookup(tokens),
                  std::move(parts));
}

std::shared_ptr<const Tokenizer> openVocabularyAndMerges(const fs::path& file) {
  const TokenizerFolder folder(file.parent_path());
  const TokenizerClass& kind = classOf(folder);
  if (!kind.byteLevel) {
    throw InputError({folder.config.file(), "tokenizer_class",
                      "a class that reads vocab.json and merges.txt (Qwen2Tokenizer, GPT2Tokenizer, ...)",
                      std::string(kind.name)});
  }
  const fs::path mergesFile = file.parent_path() / "merges.txt";
  BytePairVocabulary vocabulary;
  vocabulary.file = file;
  vocabulary.tokens = readTokenTexts({readJsonFile(file, kMaxBytes), file, "vocabulary"});
  const std::string bytes = readFile(mergesFile, kMaxBytes);
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    std::string line = bytes.substr(begin, end - begin);
    begin = end + 1;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with("#version")) continue;
    const auto space = line.find(' ');
    if (space == std::string::npos || line.find(' ', space + 1) != std::string::npos)
      throw InputError({mergesFile, "merge " + std::to_string(vocabulary.merges.size() + 1),
                        "two tokens with one space between them", "\"" + line + "\""});
    vocabulary.merges.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
  TokenizerParts parts;
  parts.file = file;
  setSteps(kind, folder, parts);
  parts.model = std::make_shared<BytePair>(vocabulary);
  return finished(folder, kind.tokens, {}, vocabulary.tokens.size(), lookup(vocabulary.tokens),
                  std::move(parts));
}

}  // namespace plastiscope
