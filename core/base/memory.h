#pragma once
// Memory available to this process: the smallest of free memory, control group and address space limits.
namespace plastiscope {
unsigned long long availableMemoryBytes();
unsigned long long peakResidentBytes();

// Keeps freed blocks in the process while an object lives, for work that allocates the same sizes repeatedly.
// They are returned when the last object is destroyed. No effect without glibc.
class KeepFreedMemory {
 public:
  KeepFreedMemory();
  ~KeepFreedMemory();
  KeepFreedMemory(const KeepFreedMemory&) = delete;
  KeepFreedMemory& operator=(const KeepFreedMemory&) = delete;
};
}  // namespace plastiscope
