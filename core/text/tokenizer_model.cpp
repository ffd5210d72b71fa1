// SentencePiece models (tokenizer.model) in protobuf's wire format.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/sentence_piece.h"
#include "core/text/tokenizer_class.h"
#include "core/text/tokenizer_files.h"

namespace plastiscope {

class ProtoReader {
 public:
  // `bytes` must outlive the reader; `place` names the message in errors.
  ProtoReader(std::string_view bytes, const std::filesystem::path& file, std::string place)
      : m_bytes(bytes), m_file(&file), m_place(std::move(place)) {}

  // Moves to the next field; false at the end. InputError when the message is damaged.
  bool next();
  std::uint32_t field() const { return m_field; }
  // The value of the field; InputError when its wire type differs.
  std::int64_t integer() const;
  bool flag() const { return integer() != 0; }
  float real() const;
  std::string_view bytes() const;
  ProtoReader message(std::string place) const { return {bytes(), *m_file, std::move(place)}; }

  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const;

 private:
  enum class Type { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
  std::uint64_t varint();
  std::string_view take(std::uint64_t size);
  void requireType(Type type, const char* name) const;

  std::string_view m_bytes;
  const std::filesystem::path* m_file;
  std::string m_place;
  std::size_t m_position = 0;
  std::uint32_t m_field = 0;
  Type m_type = Type::Varint;
  std::uint64_t m_integer = 0;
  std::string_view m_value;
};

void ProtoReader::refuse(const std::string& expected, const std::string& found) const {
  throw InputError({*m_file, m_place + ", byte " + std::to_string(m_position), expected, found});
}

std::uint64_t ProtoReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (m_position == m_bytes.size())
      refuse("", "the file is cut short or damaged: a number ends after " + std::to_string(m_bytes.size()) +
                     " bytes");
    const auto byte = static_cast<unsigned char>(m_bytes[m_position++]);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  refuse("a number of at most ten bytes", "a longer one");
}

std::string_view ProtoReader::take(std::uint64_t size) {
  if (size > m_bytes.size() - m_position) {
    refuse("", "the file is cut short or damaged: " + std::to_string(m_bytes.size() - m_position) + " of " +
                   std::to_string(size) + " bytes are left");
  }
  const std::string_view value = m_bytes.substr(m_position, size);
  m_position += size;
  return value;
}

bool ProtoReader::next() {
  if (m_position == m_bytes.size()) return false;
  const std::uint64_t tag = varint();
  m_field = static_cast<std::uint32_t>(tag >> 3);
  m_type = static_cast<Type>(tag & 7);
  switch (m_type) {
    case Type::Varint:
      m_integer = varint();
      break;
    case Type::Fixed64:
      m_value = take(8);
      break;
    case Type::Fixed32:
      m_value = take(4);
      break;
    case Type::Bytes:
      m_value = take(varint());
      break;
    default:
      refuse("wire type 0, 1, 2 or 5", std::to_string(tag & 7));
  }
  return true;
}

void ProtoReader::requireType(Type type, const char* name) const {
  if (m_type != type) refuse(name, "another wire type in field " + std::to_string(m_field));
}

std::int64_t ProtoReader::integer() const {
  requireType(Type::Varint, "a whole number");
  return static_cast<std::int64_t>(m_integer);
}

float ProtoReader::real() const {
  requireType(Type::Fixed32, "a real number of four bytes");
  float value = 0;
  std::memcpy(&value, m_value.data(), sizeof value);
  return value;
}

std::string_view ProtoReader::bytes() const {
  requireType(Type::Bytes, "a text or a message");
  return m_value;
}

namespace {

constexpr std::size_t kMaxModelBytes = std::size_t{1} << 28;
constexpr std::size_t kMaxPieces = 2'000'000;
constexpr std::size_t kLongestLine = 100;  // first line of a tiktoken vocabulary: one byte in base64 and " 0"

// The fields of sentencepiece_model.proto that affect tokens.
struct ModelFile {
  SentencePieceModel model;
  std::int64_t modelType = 1;  // default in the format: Unigram
  std::string bosText = "<s>", eosText = "</s>", unknownText = "<unk>";
  std::int64_t bosId = 1, eosId = 2;
};

SentencePiece readPiece(ProtoReader reader) {
  SentencePiece piece;
  while (reader.next()) {
    if (reader.field() == 1) piece.text = reader.bytes();
    if (reader.field() == 2) piece.score = reader.real();
    if (reader.field() == 3) {
      const std::int64_t kind = reader.integer();
      if (kind < 1 || kind > 6) reader.refuse("a piece type from 1 to 6", std::to_string(kind));
      piece.kind = static_cast<PieceKind>(kind);
    }
  }
  return piece;
}

void readTrainerSpec(ProtoReader reader, ModelFile& file) {
  while (reader.next()) {
    if (reader.field() == 3) file.modelType = reader.integer();
    if (reader.field() == 24) file.model.whitespaceIsSuffix = reader.flag();
    if (reader.field() == 35) file.model.byteFallback = reader.flag();
    if (reader.field() == 41) file.bosId = reader.integer();
    if (reader.field() == 42) file.eosId = reader.integer();
    if (reader.field() == 45 && !reader.bytes().empty()) file.unknownText = reader.bytes();
    if (reader.field() == 46 && !reader.bytes().empty()) file.bosText = reader.bytes();
    if (reader.field() == 47 && !reader.bytes().empty()) file.eosText = reader.bytes();
  }
}

void readNormalizerSpec(ProtoReader reader, SentencePieceModel& model) {
  while (reader.next()) {
    if (reader.field() == 2) model.charsmap = reader.bytes();
    if (reader.field() == 3) model.addDummyPrefix = reader.flag();
    if (reader.field() == 4) model.removeExtraWhitespace = reader.flag();
    if (reader.field() == 5) model.escapeWhitespace = reader.flag();
  }
}

ModelFile readModelFile(const std::filesystem::path& path, std::string_view bytes) {
  ModelFile file;
  file.model.file = path;
  ProtoReader reader(bytes, path, "model");
  while (reader.next()) {
    if (reader.field() == 1) {
      if (file.model.pieces.size() == kMaxPieces)
        reader.refuse("at most " + withCommas(kMaxPieces) + " pieces", "more");
      file.model.pieces.push_back(
          readPiece(reader.message("piece " + std::to_string(file.model.pieces.size()))));
    }
    if (reader.field() == 2) readTrainerSpec(reader.message("trainer_spec"), file);
    if (reader.field() == 3) readNormalizerSpec(reader.message("normalizer_spec"), file.model);
  }
  if (file.model.pieces.empty()) reader.refuse("pieces", "none");
  // Some converters add a piece of one zero byte beside <0x00>; SentencePiece ignores it.
  for (SentencePiece& piece : file.model.pieces) {
    if (file.model.byteFallback && piece.text == std::string_view("\0", 1)) piece.kind = PieceKind::Unused;
  }
  return file;
}

struct SentencePieceKind {
  std::int64_t number;  // TrainerSpec.model_type
  std::string_view name;
  std::shared_ptr<const PieceModel> (*make)(const SentencePieceModel& model);
};

constexpr SentencePieceKind kModelKinds[] = {
    {1, "Unigram", makeSentencePieceUnigram},
    {2, "BPE", makeSentencePieceBpe},
};

std::shared_ptr<const PieceModel> makeModel(const ModelFile& file) {
  for (const SentencePieceKind& kind : kModelKinds) {
    if (kind.number == file.modelType) return kind.make(file.model);
  }
  throw InputError(
      {file.model.file, "trainer_spec.model_type", "1 (Unigram) or 2 (BPE)", std::to_string(file.modelType)});
}

void addControl(const SentencePieceModel& model, const std::string& text, std::vector<std::int32_t>& ids) {
  const auto piece = std::ranges::find(model.pieces, text, &SentencePiece::text);
  if (piece != model.pieces.end() && piece->kind == PieceKind::Control)
    ids.push_back(static_cast<std::int32_t>(piece - model.pieces.begin()));
}

std::vector<PostStep> readTemplate(const ModelFile& file) {
  AddTemplate around;
  addControl(file.model, file.bosText, around.before);
  if (around.before.empty()) return {};
  return {around};
}

}  // namespace

std::shared_ptr<const Tokenizer> openTokenizerModel(const std::filesystem::path& path) {
  const std::string bytes = readFile(path, kMaxModelBytes);
  const auto line = bytes.find('\n');
  if (line < kLongestLine && bytes.rfind(" 0", line) == line - 2) {
    throw InputError(
        {path, "", "a SentencePiece model",
         "a tiktoken vocabulary; save the tokenizer with transformers, which writes a tokenizer.json"});
  }
  ModelFile file = readModelFile(path, bytes);
  checkPieces(file.model);
  const TokenizerFolder folder(path.parent_path());
  if (folder.any()) {
    NamedTokens named;
    const auto add = [&](const char* name, const std::string& text, std::int64_t id) {
      if (id >= 0) named[name] = text;
    };
    add("bos_token", file.bosText, file.bosId);
    add("eos_token", file.eosText, file.eosId);
    add("unk_token", file.unknownText, 0);
    return openSentencePieceClass(folder, std::move(file.model), file.modelType == 1, named);
  }
  TokenizerParts parts;
  parts.file = path;
  parts.model = makeModel(file);
  parts.normalizers.push_back(makeSentencePieceNormalizer(file.model));
  parts.postSteps = readTemplate(file);
  parts.vocabularySize = static_cast<std::int64_t>(file.model.pieces.size());
  return makePipelineTokenizer(std::move(parts));
}

}  // namespace plastiscope
