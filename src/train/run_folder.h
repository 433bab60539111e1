// The folder of a run while it trains.
#pragma once

#include <string>

namespace heed {

class RunFolder {
 public:
  // Creates the folder, checks that it can be written, locks it against other runs while this
  // object lives, and removes incomplete files of a run that was killed. Throws UserError if it
  // can't be created or written, or is locked: "PATH: another heed train works there; ...".
  explicit RunFolder(const std::string& path);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

 private:
  int descriptor_ = -1;  // of the folder; holds the lock
};

}  // namespace heed
