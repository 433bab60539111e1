#include "nn/history.h"

#include "autograd/ops.h"

namespace heed {

History::History(Tape& tape, Var initial, int64_t T)
    : tape_(&tape), all_(tape.result({T + 1, initial.shape()[0], initial.shape()[1]}, true)) {
  copy_rows(tape, initial, before(0));
}

}  // namespace heed
