#pragma once
// What this process may use: the smallest of free memory, control group and address space limits.
namespace plastiscope {
unsigned long long availableMemoryBytes();
unsigned long long peakResidentBytes();

// While one lives: freed blocks stay with the process for work that needs the same sizes again and again,
// instead of being handed back and cleared anew each time. With the last one they are handed back. Where the
// C library offers it.
class KeepFreedMemory {
 public:
  KeepFreedMemory();
  ~KeepFreedMemory();
  KeepFreedMemory(const KeepFreedMemory&) = delete;
  KeepFreedMemory& operator=(const KeepFreedMemory&) = delete;
};
}  // namespace plastiscope
