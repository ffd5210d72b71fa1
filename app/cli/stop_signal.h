#pragma once
namespace plastiscope {
// Ctrl-C and SIGTERM set a flag instead of ending the process; a second Ctrl-C ends it at once. A write
// beyond the file-size limit becomes an error code instead of a signal.
void installStopSignals();
bool stopSignalled();
}  // namespace plastiscope
