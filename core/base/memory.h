#pragma once
// What this process may use: the smallest of free memory, control group and address space limits.
namespace plastiscope {
unsigned long long availableMemoryBytes();
unsigned long long peakResidentBytes();
}  // namespace plastiscope
