// Runs the built program through the shell, as a user does.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "base/files.h"
#include "support/temp_dir.h"

namespace heed::test {

struct ProgramRun {
  int code = -1;  // exit code; 128 + signal if it was killed
  std::string out, err;
};

// `arguments` are those typed after "heed", which may include redirections and pipes of the shell.
inline ProgramRun run_heed(const std::string& arguments) {
  const TempDir dir;
  const std::string out = dir.path() + "/out";
  const std::string err = dir.path() + "/err";
  const std::string command =
      "{ " HEED_BINARY_DIR "/heed " + arguments + "; } >" + out + " 2>" + err;
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, read_file(out), read_file(err)};
}

// As run_heed(), where @NAME stands for a file of the folder.
inline ProgramRun run_heed_in(const TempDir& dir, std::string arguments) {
  for (size_t at = 0; (at = arguments.find('@', at)) != std::string::npos;)
    arguments.replace(at, 1, dir.path() + "/");
  return run_heed(arguments);
}

}  // namespace heed::test
