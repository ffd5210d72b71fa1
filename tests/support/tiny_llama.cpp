#include "tests/support/tiny_llama.h"

#include <cstring>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/random.h"

namespace plastiscope::test {

namespace {

std::uint64_t bytesOf(const std::vector<std::int64_t>& shape) {
  std::uint64_t count = 4;
  for (const std::int64_t size : shape) count *= static_cast<std::uint64_t>(size);
  return count;
}

}  // namespace

TinyLlama::TinyLlama() {
  config = {{"model_type", "llama"},
            {"architectures", {"LlamaForCausalLM"}},
            {"hidden_size", hidden},
            {"intermediate_size", intermediate},
            {"num_hidden_layers", layers},
            {"num_attention_heads", queryHeads},
            {"num_key_value_heads", keyHeads},
            {"vocab_size", vocabulary},
            {"max_position_embeddings", 4096},
            {"rms_norm_eps", 1e-5},
            {"rope_theta", 10000.0},
            {"tie_word_embeddings", true},
            {"hidden_act", "silu"}};
  const std::int64_t headDim = hidden / queryHeads;
  tensors["model.embed_tokens.weight"] = {vocabulary, hidden};
  tensors["model.norm.weight"] = {hidden};
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const std::string prefix = "model.layers." + std::to_string(layer) + ".";
    tensors[prefix + "input_layernorm.weight"] = {hidden};
    tensors[prefix + "post_attention_layernorm.weight"] = {hidden};
    tensors[prefix + "self_attn.q_proj.weight"] = {queryHeads * headDim, hidden};
    tensors[prefix + "self_attn.k_proj.weight"] = {keyHeads * headDim, hidden};
    tensors[prefix + "self_attn.v_proj.weight"] = {keyHeads * headDim, hidden};
    tensors[prefix + "self_attn.o_proj.weight"] = {hidden, queryHeads * headDim};
    tensors[prefix + "mlp.gate_proj.weight"] = {intermediate, hidden};
    tensors[prefix + "mlp.up_proj.weight"] = {intermediate, hidden};
    tensors[prefix + "mlp.down_proj.weight"] = {hidden, intermediate};
  }
}

std::string TinyLlama::safetensors(const std::function<void(Json&)>& editHeader) const {
  Json header = Json::object();
  std::uint64_t end = 0;
  for (const auto& [name, shape] : tensors) {
    const std::uint64_t begin = end;
    end += bytesOf(shape);
    header[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {begin, end}}};
  }
  if (editHeader) editHeader(header);
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  file += text;
  PairGenerator generator(1);
  for (std::uint64_t i = 0; i < end / 4; ++i) {
    const auto value = static_cast<float>(static_cast<double>(generator.next() >> 11) * 0x1p-53 - 0.5);
    char bytes[4];
    std::memcpy(bytes, &value, 4);
    file.append(bytes, 4);
  }
  return file;
}

void TinyLlama::write(const std::filesystem::path& folder) const {
  std::filesystem::create_directories(folder);
  writeFileAtomically(folder / "config.json", config.dump(2));
  writeFileAtomically(folder / "model.safetensors", safetensors());
}

void writeTokenFile(const std::filesystem::path& file, int examples, int tokens, std::int64_t vocabulary) {
  std::string text;
  for (int example = 0; example < examples; ++example) {
    Json ids = Json::array();
    for (int token = 0; token < tokens; ++token) {
      ids.push_back(mix64(static_cast<std::uint64_t>(example * 1000003 + token + 1)) %
                    static_cast<std::uint64_t>(vocabulary));
    }
    text += Json{{"id", example}, {"tokens", ids}}.dump() + "\n";
  }
  writeFileAtomically(file, text);
}

}  // namespace plastiscope::test
