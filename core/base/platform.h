#pragma once
// Functions that operating systems provide differently. Other systems than Linux do less, as stated at each;
// defining PLASTISCOPE_PLAIN_POSIX compiles that on Linux. Functions that return int return -1 and set errno
// when they fail.
#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

extern "C" char** environ;  // not every <unistd.h> declares it

namespace plastiscope {

// Exchanges two files at once. EINVAL or ENOSYS if that is not possible, as on other systems.
int exchangeFiles(const std::filesystem::path& one, const std::filesystem::path& other);
// Renames a file; EEXIST if there is already something at `to`.
int renameToFree(const std::filesystem::path& from, const std::filesystem::path& to);
// Permissions that new files and folders of this process do not get; on other systems those of group and
// others.
mode_t currentUmask();
// Removes pages of a file from the system's cache. A hint; nothing on other systems.
void dropCachedPages(int fd, off_t offset, off_t size);
// Whether file locks exclude only processes of this computer: sshfs grants them locally. False on other
// systems.
bool locksStayHere(int fd);
// A descriptor that one process of this computer can hold until it ends. `name`: at most 100 letters, digits
// and spaces. EADDRINUSE: it is taken.
int takeNameOnHost(const std::string& name);

// Path of this program, also if started through a link or PATH; empty if unknown.
std::filesystem::path ownProgram();
// A pipe, its reading end first, and a pair of sockets, both closed in programs that this one starts.
int makePipe(int ends[2]);
int makeSocketPair(int ends[2]);
// Sends without waiting, and without a signal if the reader is gone.
ssize_t sendQuietly(int socket, std::span<const std::byte> bytes);
// In a new process, where memory cannot be allocated: it gets SIGTERM when its parent ends. Nothing on other
// systems.
void endWithParent();
// This thread and those it starts run when others do not. Nothing on other systems.
void lowerThreadPriority();
// Asks the system for the matrix registers of x86 (AMX).
bool mayUseTileRegisters();

// Memory that the system and this process's control groups leave, in bytes; on other systems all of the
// system's.
unsigned long long unusedMemoryBytes();
// Bytes of this process's address space; 0 if unknown, as on other systems.
unsigned long long addressSpaceBytes();
// Keeps freed memory in the process, or returns it from now on. glibc only.
void keepFreedMemory(bool keep);

}  // namespace plastiscope
