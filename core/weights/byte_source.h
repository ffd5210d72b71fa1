#pragma once
// The bytes of one weight file, read by position. Nothing is mapped: when another program cuts a mapped file
// short, the next touch kills the process (SIGBUS) and no check beforehand can rule that out; a read that
// meets the new end is an ordinary answer, which becomes an InputError. Reading also leaves no pages of the
// file in this process's memory.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace plastiscope {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual const std::filesystem::path& path() const = 0;
  virtual std::uint64_t size() const = 0;  // when it was opened
  // Fills `out` from `offset` on. InputError when the file ends before (it was cut short after opening) or
  // cannot be read. Any number of threads may read at the same time.
  virtual void read(std::uint64_t offset, std::span<std::byte> out) const = 0;
  // Lets the system drop these bytes from its cache.
  virtual void forget(std::uint64_t offset, std::uint64_t size) const = 0;
};

// InputError when the file is missing, unreadable, or not a regular file.
std::shared_ptr<const ByteSource> openBytes(const std::filesystem::path& file);

}  // namespace plastiscope
