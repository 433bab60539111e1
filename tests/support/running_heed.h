// Runs the built program in the background, for example as a server.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.h"
#include "support/temp_dir.h"

namespace heed::test {

class RunningHeed {
 public:
  // `arguments` are those typed after "heed".
  explicit RunningHeed(std::vector<std::string> arguments) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    const std::string err = dir_.file("err");
    std::vector<char*> words = {const_cast<char*>("heed")};
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      ::execv(HEED_BINARY_DIR "/heed", words.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    out_ = ends[0];
  }
  ~RunningHeed() {
    if (process_ > 0) end(SIGKILL);
    ::close(out_);
  }
  RunningHeed(const RunningHeed&) = delete;
  RunningHeed& operator=(const RunningHeed&) = delete;

  // The next line of standard output without its line feed; "" at the end.
  std::string line() const {
    std::string text;
    for (char c = 0; ::read(out_, &c, 1) == 1 && c != '\n';) text += c;
    return text;
  }
  void signal(int number) const { ::kill(process_, number); }
  // Waits for its end and returns the exit code, or 128 + signal if it was killed.
  int wait() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  int end(int number) {
    signal(number);
    return wait();
  }
  std::string err() const { return read_file(dir_.file("err")); }

 private:
  TempDir dir_;
  pid_t process_ = -1;
  int out_ = -1;
};

}  // namespace heed::test
