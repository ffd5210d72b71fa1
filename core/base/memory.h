#pragma once
// What this process may use: the smallest of free memory, control group and address space limits.
namespace plastiscope {
unsigned long long availableMemoryBytes();
unsigned long long peakResidentBytes();

// For work that needs blocks of the same sizes again and again: freed ones stay with the process instead of
// being handed back and cleared anew each time. Where the C library offers it.
void tuneAllocator();
}  // namespace plastiscope
