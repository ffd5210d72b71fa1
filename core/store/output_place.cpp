#include "core/store/output_place.h"

#include <sys/stat.h>

#include <cstring>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/path_text.h"
#include "core/store/schema.h"
#include "core/store/stored_file.h"
#include "core/weights/gguf.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr std::uint64_t kLargestHeader = 100'000'000;  // of a safetensors file

// A safetensors file begins with the size of its header, a JSON object.
bool looksLikeSafetensors(const fs::path& file) {
  const InputFile input(file);
  std::uint64_t header = 0;
  char first = 0;
  return input.read(0, std::as_writable_bytes(std::span(&header, 1))) == sizeof header &&
         input.read(sizeof header, std::as_writable_bytes(std::span(&first, 1))) == 1 && first == '{' &&
         header <= kLargestHeader && header <= input.size() - sizeof header;
}

// A folder with config.json and weights or a tokenizer; config.json alone is too common a name.
bool isModelFolder(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(folder / "config.json", code)) return false;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    const std::string extension = entry->path().extension().string();
    if (extension == ".safetensors" || extension == ".gguf" || extension == ".bin") return true;
  }
  return fs::exists(folder / "tokenizer.json", code);
}

// Whether the file lies in the blobs folder of a Hugging Face cache, to which its snapshots link.
bool isCacheBlob(const fs::path& file) {
  const fs::path folder = file.parent_path();
  return folder.filename() == "blobs" && folder.parent_path().filename().string().starts_with("models--");
}

bool isModelFile(const fs::path& given) {
  std::error_code code;
  const fs::path file = fs::absolute(given, code), real = fs::canonical(given, code);
  return looksLikeGguf(file) || looksLikeSafetensors(file) || isModelFolder(file.parent_path()) ||
         isModelFolder(real.parent_path()) || isCacheBlob(real);
}

// Whether `file` is an input or lies in an input folder. Outputs of this program in the folder of a model or
// data set are not inputs.
bool isInput(const fs::path& file, bool ours, const fs::path& input) {
  std::error_code code;
  if (!fs::is_directory(input, code)) return isSameFile(file, input);
  if (ours) return false;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(input, options, code), end; !code && entry != end;
       entry.increment(code)) {
    if (isSameFile(file, entry->path())) return true;
  }
  return false;
}

bool isOurs(const OutputKind& kind, const fs::path& file) {
  try {
    return kind.isOurs(file);
  } catch (const InputError&) {
    return false;
  }
}

std::string contentOf(const fs::path& file) {
  try {
    return StoredFile(file).content();
  } catch (const InputError&) {
    return "a file that cannot be read";
  }
}

OutputKind storedOutput(const char* name, FileType kind) {
  return {name, [kind](const fs::path& file) { return fileTypeOf(file) == kind; }};
}

}  // namespace

OutputKind captureOutput() {
  return storedOutput("a capture", FileType::Capture);
}

OutputKind captureOrDamagedOutput() {
  return {"a capture", [](const fs::path& file) {
            try {
              return fileTypeOf(file) == FileType::Capture;
            } catch (const InputError&) {
              constexpr std::size_t kStart = std::size_t{1} << 20;  // searched for its name
              return hasHdf5Signature(InputFile(file)) &&
                     readStart(file, kStart).find(schema::kCaptureFormat) != std::string::npos;
            }
          }};
}

OutputKind analysisOutput() {
  return storedOutput("an analysis", FileType::Analysis);
}

OutputKind tableOutput(const Table& columns) {
  Table none{columns.name, {}};
  for (const Column& column : columns.columns) none.columns.push_back({column.name, std::vector<double>()});
  return {"a table of these columns",
          [header = toCsv(none)](const fs::path& file) { return readStart(file, header.size()) == header; }};
}

void requireDisk(const fs::path& out, double bytes, const std::string& need) {
  const auto free = freeDiskBytes(out);
  if (bytes <= free) return;
  throw ResourceError(pathText(out) + ": " + need + " " + byteText(static_cast<std::uint64_t>(bytes)) +
                      " of disk, " + byteText(free) + " are free");
}

bool isSameFile(const fs::path& a, const fs::path& b) {
  struct stat first {
  }, second{};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

void requireOutputPlace(const fs::path& file, const OutputKind& kind, const OutputRules& rules) {
  struct stat link {
  }, there{};
  if (::lstat(file.c_str(), &link) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return;  // a new name; its folder is not checked here
    throw InputError({file, "", "", std::string("cannot be written: ") + std::strerror(errno)});
  }
  const std::string expected = "a new file or " + kind.name;
  const unsigned mode = ::stat(file.c_str(), &there) == 0 ? there.st_mode : link.st_mode;
  if (!S_ISREG(mode)) throw InputError({file, "", expected, kindOfPlace(mode)});
  const bool ours = isOurs(kind, file);
  for (const fs::path& input : rules.inputs) {
    if (!input.empty() && isInput(file, ours, input))
      throw InputError({file, "", "", "this file is an input (" + input.string() + "): choose another name"});
  }
  if (ours) return;
  if (isModelFile(file))
    throw InputError({file, "", expected, "a file of a model, which is never replaced: choose another name"});
  if (!rules.force) throw InputError({file, "", expected, contentOf(file) + ": " + rules.remedy});
}

}  // namespace plastiscope
