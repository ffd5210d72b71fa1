#pragma once
// The program with the capture backend: all commands and libtorch, in libexec/plastiscope beside bin. What
// starts without it starts at once.

namespace plastiscope {

// Goes on as that program with the same arguments, for a command that needs the forward pass. Returns where
// this is that program, or where there is none: then the forward pass says so itself. ResourceError when it
// cannot be started. `arguments`: argv.
void continueWithBackend(char** arguments);

}  // namespace plastiscope
