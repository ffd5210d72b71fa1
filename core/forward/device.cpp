#include "core/forward/device.h"

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <c10/util/Exception.h>
#include <dlfcn.h>
#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <map>
#include <new>
#include <string>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/forward/availability.h"

#if __has_include(<torch/headeronly/version.h>)
#include <torch/headeronly/version.h>
#endif

namespace plastiscope {

namespace {

struct ComputeType {
  std::string_view name;
  c10::ScalarType type;
  TensorType stored;  // stored type that needs no conversion
  std::uint64_t bytes;
};

constexpr std::array kComputeTypes = {
    ComputeType{"float32", c10::kFloat, TensorType::F32, 4},
    ComputeType{"bfloat16", c10::kBFloat16, TensorType::BF16, 2},
    ComputeType{"float16", c10::kHalf, TensorType::F16, 2},
};

const ComputeType& computeType(const std::string& name) {
  for (const auto& type : kComputeTypes) {
    if (type.name == name) return type;
  }
  throw UsageError("unknown compute type \"" + name + "\"; known: auto, float32, bfloat16, float16");
}

// The stored type with most bytes in the layers.
TensorType mainWeightType(const Model& model) {
  std::map<TensorType, std::uint64_t> bytes;
  for (const auto& layer : model.layers) {
    for (const auto& [role, tensor] : layer) bytes[tensor.info.type] += tensor.info.bytes;
  }
  TensorType main = TensorType::F32;
  std::uint64_t most = 0;
  for (const auto& [type, count] : bytes) {
    if (count > most) {
      main = type;
      most = count;
    }
  }
  return main;
}

std::string resolveDtype(const Model& model, const std::string& wanted, bool cuda) {
  if (wanted != "auto") return std::string(computeType(wanted).name);
  if (cuda) return "bfloat16";
  const TensorType stored = mainWeightType(model);
  for (const auto& type : kComputeTypes) {
    if (type.stored == stored && cpuIsFastIn(type.name)) return std::string(type.name);
  }
  return "float32";
}

// The part of libtorch for NVIDIA GPUs registers itself when it is loaded, before the first question about
// GPUs. A program that was not linked with it loads it from libtorch's folder, if there is a driver. Returns
// why it cannot be used, if it is there.
std::string loadGpuPart() {
  Dl_info torch{};
  if (::dladdr(reinterpret_cast<const void*>(&at::intraop_default_num_threads), &torch) == 0) return {};
  const std::filesystem::path part =
      std::filesystem::path(torch.dli_fname).replace_filename("libtorch_cuda.so");
  std::error_code none;
  if (!std::filesystem::exists(part, none)) return {};
  if (::dlopen("libcuda.so.1", RTLD_LAZY) == nullptr) return "there is no NVIDIA driver (libcuda.so.1)";
  if (::dlopen(part.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr)
    return std::string("libtorch_cuda.so cannot be loaded: ") + ::dlerror();
  return {};
}

std::string resolveName(const std::string& wanted) {
  if (wanted == "cpu") return "cpu";
  const std::string& problem = gpuProblem();
  const int gpus = at::hasCUDA() ? static_cast<int>(at::getNumGPUs()) : 0;
  if (wanted == "auto") return gpus > 0 ? "cuda:0" : "cpu";
  const std::string prefix = "cuda";
  if (wanted.rfind(prefix, 0) == 0) {
    const std::string rest = wanted.substr(prefix.size());
    for (int gpu = 0; gpu < gpus; ++gpu) {
      if (rest == ":" + std::to_string(gpu) || (rest.empty() && gpu == 0))
        return "cuda:" + std::to_string(gpu);
    }
    if (rest.empty() || rest.front() == ':') {
      if (problem.empty() && !at::globalContext().hasCUDART())
        throw UsageError(
            "device \"" + wanted +
            "\" is not available: the libtorch of this build has no CUDA. Build with a PyTorch that "
            "has it (PLASTISCOPE_TORCH=.../site-packages/torch packaging/run.sh), or give that "
            "one to --engine transformers --python ...");
      throw UsageError("device \"" + wanted +
                       "\" is not available. CUDA devices that libtorch finds on this computer: " +
                       std::to_string(gpus) + (problem.empty() ? "" : "; " + problem));
    }
  }
  throw UsageError("unknown device \"" + wanted + "\"; known: auto, cpu, cuda, cuda:N");
}

}  // namespace

ResolvedDevice resolveDevice(const Model& model, const ForwardOptions& options) {
  ResolvedDevice resolved;
  resolved.device = resolveName(options.device);
  resolved.dtype = resolveDtype(model, options.dtype, resolved.device != "cpu");
  return resolved;
}

const std::string& gpuProblem() {
  static const std::string problem = loadGpuPart();
  return problem;
}

Compute computeOf(const ResolvedDevice& resolved) {
  return {c10::Device(resolved.device), computeType(resolved.dtype).type};
}

bool cpuIsFastIn(std::string_view dtype) {
#if defined(__x86_64__)
  if (dtype == "bfloat16") return __builtin_cpu_supports("avx512bf16") || __builtin_cpu_supports("amx-bf16");
  if (dtype == "float16") return __builtin_cpu_supports("avx512fp16");
#endif
  return dtype == "float32";
}

std::uint64_t bytesOf(const std::string& dtype) {
  return computeType(dtype).bytes;
}

std::optional<std::uint64_t> freeDeviceBytes(const c10::Device& device) {
  if (device.is_cpu()) return availableMemoryBytes();
#if defined(TORCH_VERSION_MAJOR) && (TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 11)
  at::empty({1}, device);  // initialises the statistics
  // Adds memory that libtorch has reserved but does not use.
  const auto taken = at::accelerator::getDeviceStats(device.index());
  return at::accelerator::getMemoryInfo(device.index()).first +
         static_cast<std::uint64_t>(taken.reserved_bytes[0].current - taken.allocated_bytes[0].current);
#else
  return std::nullopt;
#endif
}

int threadCount(int threads) {
  return threads > 0 ? threads : at::intraop_default_num_threads();
}

void useThreads(int threads) {
  // MKL chooses its kernels at the first call of a function. Two threads that call it at the same time may
  // get kernels of different accuracy, so one thread makes the first call.
  static const bool chosen = [] {
    const at::Tensor some = at::ones({8, 8});
    for (const at::Tensor& row : {some, some.mm(some), at::linear(some, some)})
      row.cos()
          .add_(row.sin())
          .add_(row.exp())
          .add_(row.log())
          .add_(row.tanh())
          .add_(row.erf())
          .add_(row.sqrt());
    return true;
  }();
  static_cast<void>(chosen);
  at::set_num_threads(threadCount(threads));
}

namespace {

constexpr const char* kAdvice =
    "; use a shorter window, a 16-bit compute type, fewer threads, or free some memory";

// libtorch's CPU allocator has no separate exception type for this.
bool saysOutOfMemory(const std::string& text) {
  constexpr std::array kPhrases = {"can't allocate memory", "not enough memory", "out of memory"};
  return std::any_of(kPhrases.begin(), kPhrases.end(),
                     [&](const char* phrase) { return text.find(phrase) != std::string::npos; });
}

}  // namespace

void rethrowTorchError() {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw ResourceError(std::string("not enough memory for the forward pass") + kAdvice);
  } catch (const c10::Error& error) {
    const bool memory = dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr ||
                        saysOutOfMemory(error.what_without_backtrace());
    // Keeps libtorch's message as cause, for --verbose.
    if (memory)
      std::throw_with_nested(ResourceError(std::string("not enough memory for the forward pass") + kAdvice));
    std::throw_with_nested(
        Error(ErrorKind::Internal, "internal failure of the forward pass, please report it"));
  }
}

}  // namespace plastiscope
