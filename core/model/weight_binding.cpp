#include "core/model/model_config.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <ranges>
#include <set>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/model/model.h"
#include "core/weights/tensor_type.h"

namespace plastiscope {

namespace {

constexpr std::size_t kNamesInMessage = 24;

std::string shapeText(const std::vector<std::int64_t>& shape) {
  return "[" + joined(shape, [](std::int64_t size) { return std::to_string(size); }) + "]";
}

std::string listText(const std::vector<std::string>& items) {
  std::string text = joined(items | std::views::take(kNamesInMessage));
  if (items.size() > kNamesInMessage)
    text += " and " + std::to_string(items.size() - kNamesInMessage) + " more";
  return text;
}

// The ignored pattern that matches the name, or "".
std::string ignoredBy(const Architecture& architecture, std::string_view name, const std::string& root) {
  if (name.starts_with(root)) name.remove_prefix(root.size());
  const auto found = std::find_if(architecture.ignored.begin(), architecture.ignored.end(),
                                  [&](const std::string& pattern) { return fitsPattern(name, pattern); });
  return found == architecture.ignored.end() ? "" : *found;
}

// The layer of a tensor; -1 for none.
std::int64_t layerOf(std::string_view name, const std::string& prefix) {
  std::int64_t layer = -1;
  if (!name.starts_with(prefix)) return -1;
  const char* const end = name.data() + name.size();
  const auto [next, error] = std::from_chars(name.data() + prefix.size(), end, layer);
  return error == std::errc() && next != end && *next == '.' && layer >= 0 ? layer : -1;
}

// Buffers in older files: not weights, recomputed by every program.
constexpr std::string_view kBuffers[] = {"*rotary_emb.*", "*.position_ids", "*.masked_bias", "*.attn.bias",
                                         "*.attention.bias"};

// Why an unused tensor is not needed for a capture; "" if it belongs to an executed layer.
std::string reasonOf(const Architecture& architecture, const Model& model, const std::string& name,
                     const std::string& prefix) {
  const std::string known = ignoredBy(architecture, name, model.root);
  if (!known.empty()) return known;
  const std::int64_t layer = layerOf(name, prefix);
  if (layer >= model.spec.layerCount ||
      (layer >= 0 && model.spec.layer(layer).attention == AttentionKind::Cross))
    return "layers that are not run";
  const bool buffer = std::ranges::any_of(kBuffers, [&](auto pattern) { return fitsPattern(name, pattern); });
  if (layer >= 0) return buffer ? name.substr(name.rfind('.', name.rfind('.') - 1) + 1) : "";
  // Drops everything from the first number on: "medusa_head.0.0.linear.weight" -> "medusa_head".
  std::size_t end = 0;
  while ((end = name.find('.', end)) != std::string::npos && end + 1 < name.size() &&
         std::isdigit(static_cast<unsigned char>(name[end + 1])) == 0)
    ++end;
  return sanitized(name.substr(0, end));
}

// "model.layers." -> "model."
std::string rootOf(const std::string& prefix) {
  return prefix.empty() ? "" : prefix.substr(0, prefix.rfind('.', prefix.size() - 2) + 1);
}

// The part before "0.<anchor>" in the names of a Hugging Face file, "model.layers." for example. Of several
// prefixes, the decoder's has an embedding; multi-token prediction heads have layers only.
std::string layerPrefixOf(const Architecture& architecture, const Model& model) {
  const std::string ending = "0." + architecture.hfAnchor;
  std::set<std::string> prefixes;
  for (const TensorInfo& tensor : model.weights->tensors()) {
    if (!tensor.name.ends_with(ending) || !ignoredBy(architecture, tensor.name, "").empty()) continue;
    const std::string prefix = tensor.name.substr(0, tensor.name.size() - ending.size());
    if (prefix.empty() || prefix.back() == '.') prefixes.insert(prefix);
  }
  if (prefixes.size() > 1) {
    std::set<std::string> whole = prefixes;
    std::erase_if(whole, [&](const std::string& prefix) {
      return model.weights->find(rootOf(prefix) + architecture.hfEmbedding) == nullptr;
    });
    if (!whole.empty()) prefixes = whole;
  }
  if (prefixes.size() > 1) {
    throw InputError(
        {model.path, "tensors", "one decoder", "several: " + listText({prefixes.begin(), prefixes.end()})});
  }
  return prefixes.empty() ? "model.layers." : *prefixes.begin();
}

// Expert tensors have the number of experts as first dimension, or exist once per expert.
bool isOfExperts(TensorRole role) {
  return role >= TensorRole::ExpertGate && role <= TensorRole::ExpertDownBias;
}

// Binds tensors to roles and collects the problems.
class Binder {
 public:
  // `prefix`: prefix of the layers' tensor names.
  Binder(const Architecture& architecture, bool isGguf, const Model& model, std::string prefix)
      : m_architecture(architecture), m_isGguf(isGguf), m_model(model), m_prefix(std::move(prefix)) {}

  // The tensor, or an empty one after recording the problem.
  TensorInfo bind(const std::string& name, const std::vector<std::int64_t>& shape) {
    const TensorInfo* tensor = m_model.weights->find(name);
    if (tensor == nullptr) {
      m_missing.push_back(sanitized(name));
      return {};
    }
    m_used.insert(name);
    if (tensor->unread) throw InputError(*tensor->unread);
    if (tensor->shape != shape) {
      m_misfits.push_back(sanitized(name) + " (expected shape " + shapeText(shape) + ", found " +
                          shapeText(tensor->shape) + ")");
    } else if (!formatOf(tensor->type).isWeight) {
      m_misfits.push_back(sanitized(name) + " (expected floating point weights, found type " +
                          std::string(nameOf(tensor->type)) + ")");
    }
    return *tensor;
  }

  std::map<TensorRole, BoundTensor> bindLayer(std::int64_t layer) {
    const LayerSpec& spec = m_model.spec.layer(layer);
    if (spec.attention == AttentionKind::Cross) return {};
    return bindParts(m_architecture.layerTensors, spec, m_prefix + std::to_string(layer) + ".");
  }
  std::map<TensorRole, BoundTensor> bindBesideLayers() {
    return bindParts(m_architecture.tensorsBesideLayers, {}, m_model.root);
  }

  bool uses(const std::string& name) const { return m_used.contains(name); }
  void noteUnused(const std::string& name) { m_unused.push_back(sanitized(name)); }

  void throwIfAnythingIsWrong() const {
    const std::pair<const char*, const std::vector<std::string>*> groups[] = {
        {"missing: ", &m_missing}, {"wrong: ", &m_misfits}, {"unused: ", &m_unused}};
    std::string sentence;
    for (const auto& [title, names] : groups) {
      if (!names->empty()) sentence += (sentence.empty() ? "" : "; ") + std::string(title) + listText(*names);
    }
    if (sentence.empty()) return;
    throw InputError(
        {m_model.path, "", "",
         "the tensors do not fit the architecture " + m_model.spec.architecture + ": " + sentence});
  }

 private:
  // Binds those of `parts` that apply to the layer.
  std::map<TensorRole, BoundTensor> bindParts(const std::vector<LayerTensor>& parts, const LayerSpec& layer,
                                              const std::string& prefix) {
    std::map<TensorRole, BoundTensor> bound;
    for (const LayerTensor& part : parts) {
      if ((m_isGguf ? part.gguf : part.hf).empty()) continue;
      if (part.applies == nullptr || part.applies(m_model.spec, layer))
        bound[part.role] = bindPart(part, layer, prefix);
    }
    return bound;
  }

  // Whether the file's tensor for all experts has the shape [experts, *size].
  bool isPlainIn(const std::string& name, const std::vector<std::int64_t>& size) const {
    const TensorInfo* tensor = m_model.weights->find(name);
    return tensor != nullptr && size.size() == 2 && tensor->shape.size() == 3 &&
           std::equal(size.begin(), size.end(), tensor->shape.begin() + 1);
  }

  BoundTensor bindPart(const LayerTensor& part, const LayerSpec& layer, const std::string& prefix) {
    BoundTensor bound;
    for (const SizeOf size : part.shape) bound.shape.push_back(size(m_model.spec, layer));
    std::vector<std::int64_t> onDisk = bound.shape;
    if (isOfExperts(part.role)) bound.shape.insert(bound.shape.begin(), m_model.spec.experts.count);
    const std::string name = prefix + std::string(m_isGguf ? part.gguf : part.hf);
    const auto star = name.find('*');
    if (!m_isGguf) {
      bound.layout = part.hfLayout;
      bound.offset = part.hfOffset;
      if (m_architecture.hfScales != nullptr) bound.scales = m_architecture.hfScales(m_model.spec, part.role);
      if (bound.layout == TensorLayout::ByShape)
        bound.layout = isPlainIn(name, onDisk) ? TensorLayout::Plain : TensorLayout::Transposed;
      if (bound.layout == TensorLayout::ByHead)
        bound.headDim = layer.headDim;
      else if (bound.layout != TensorLayout::Plain && onDisk.size() == 2)
        std::swap(onDisk[0], onDisk[1]);
    } else if (part.ggufPermutedHeads != nullptr) {
      bound.permutedHeads = part.ggufPermutedHeads(m_model.spec, layer);
    }
    if (part.pairedHeads != nullptr) {
      bound.permutedHeads = part.pairedHeads(m_model.spec, layer);
      bound.permutedRows = m_model.spec.latent.ropeDim;
    }
    if (star == std::string::npos) {
      if (isOfExperts(part.role)) onDisk.insert(onDisk.begin(), m_model.spec.experts.count);
      bound.info = bind(name, onDisk);
      return bound;
    }
    if (!isOfExperts(part.role)) onDisk.erase(onDisk.begin());
    for (std::int64_t number = 0; number < bound.shape.front(); ++number) {
      bound.perExpert.push_back(
          bind(name.substr(0, star) + std::to_string(number) + name.substr(star + 1), onDisk));
    }
    bound.info = bound.perExpert.front();
    return bound;
  }

  const Architecture& m_architecture;
  bool m_isGguf;
  const Model& m_model;
  std::string m_prefix;
  std::unordered_set<std::string> m_used;
  std::vector<std::string> m_missing, m_misfits, m_unused;
};

// "57 tensors are not needed for a capture (lm_head.weight, vision_tower)".
void noteIgnored(std::size_t count, const std::set<std::string>& reasons, Model& model) {
  if (count == 0) return;
  std::vector<std::string> names;
  for (std::string reason : reasons) {
    std::erase(reason, '*');
    if (reason.ends_with('.')) reason.pop_back();
    names.push_back(reason);
  }
  model.notes.push_back(std::to_string(count) + (count == 1 ? " tensor is" : " tensors are") +
                        " not needed for a capture (" + listText(names) + ")");
}

// Compares two matrices at 65 places spread over their length, including start and end: reading both
// completely would delay every opening of a large model.
bool sameValues(const TensorSource& weights, const TensorInfo& one, const TensorInfo& other) {
  if (one.shape != other.shape) return false;
  constexpr std::int64_t kPlaces = 64, kCompared = 1 << 14;
  const std::int64_t count = std::min(kCompared, one.elements()), last = one.elements() - count;
  std::vector<float> values(static_cast<std::size_t>(count)), others(values.size());
  for (std::int64_t place = 0; place <= kPlaces; ++place) {
    const std::int64_t first = place < kPlaces ? last / kPlaces * place : last;
    weights.readValues(one, first, values);
    weights.readValues(other, first, others);
    if (values != others) return false;
  }
  return true;
}

// Like transformers, keeps an output matrix in the file that differs from the embedding.
void untieOwnHead(const TensorInfo* head, Model& model) {
  const TensorInfo& embedding = model.embedding.info;
  if (!model.spec.tiedEmbeddings || head == nullptr || head->unread || head->name == embedding.name) return;
  if (sameValues(*model.weights, *head, embedding)) return;
  model.spec.tiedEmbeddings = false;
  model.warnings.push_back("tie_word_embeddings is true, but " + sanitized(head->name) + " differs from " +
                           sanitized(embedding.name) + ": the model's output is computed with " +
                           sanitized(head->name));
}

}  // namespace

bool fitsPattern(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0, star = std::string_view::npos, afterStar = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      afterStar = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++afterStar;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

void bindWeights(const Architecture& architecture, bool isGguf, Model& model) {
  const std::string prefix = isGguf ? "blk." : layerPrefixOf(architecture, model);
  model.root = isGguf ? "" : rootOf(prefix);
  model.spec.experts.fused = std::ranges::any_of(model.weights->tensors(), [&](const TensorInfo& tensor) {
    return tensor.name.starts_with(prefix) && tensor.name.ends_with(".mlp.experts.gate_up_proj");
  });
  Binder binder(architecture, isGguf, model, prefix);
  const std::int64_t embedded = model.spec.vocabulary + (isGguf ? 0 : architecture.extraEmbeddingRows);
  std::string name = model.root + (isGguf ? architecture.ggufEmbedding : architecture.hfEmbedding);
  const TensorInfo* head = outputMatrixOf(model);
  if (model.spec.tiedEmbeddings && head != nullptr && model.weights->find(name) == nullptr) name = head->name;
  model.embedding.info = binder.bind(name, {embedded, model.spec.hidden});
  for (std::int64_t layer = 0; layer < model.spec.layerCount; ++layer)
    model.layers.push_back(binder.bindLayer(layer));
  model.besideLayers = binder.bindBesideLayers();
  std::size_t ignored = 0;
  std::set<std::string> reasons;
  for (const TensorInfo& tensor : model.weights->tensors()) {
    if (binder.uses(tensor.name)) continue;
    const std::string reason = reasonOf(architecture, model, tensor.name, prefix);
    if (reason.empty()) {
      binder.noteUnused(tensor.name);
    } else {
      ++ignored;
      reasons.insert(reason);
    }
  }
  binder.throwIfAnythingIsWrong();
  untieOwnHead(head, model);
  const bool permuted =
      isGguf && std::any_of(model.layers.begin(), model.layers.end(), [](const auto& layer) {
        return std::any_of(layer.begin(), layer.end(),
                           [](const auto& part) { return part.second.permutedHeads > 0; });
      });
  if (permuted) model.notes.push_back("rows of q and k restored from the GGUF file's order");
  noteIgnored(ignored, reasons, model);
}

}  // namespace plastiscope
