// The folder of a run while it trains.
#pragma once

#include <string>

namespace heed {

class RunFolder {
 public:
  // Makes the folder, proves that it can be written, keeps other runs out of it while this object
  // lives, and removes what a killed run left half written. Throws UserError: it can't be made or
  // written; "PATH: another heed train works there; ...".
  explicit RunFolder(const std::string& path);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

 private:
  int descriptor_ = -1;  // of the folder; holds the lock
};

}  // namespace heed
