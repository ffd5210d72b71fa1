#pragma once
// Standard input, output and error of a program.

namespace plastiscope {

// At the start of a program: where one of the three is closed, no file that is opened later gets its number,
// and using it fails.
void occupyStandardDescriptors();

// At the end: InputError when not everything printed could be written, ResourceError when that is for want of
// disk.
void requireOutputWritten();

}  // namespace plastiscope
