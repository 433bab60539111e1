// SIGINT and SIGTERM as a wish to stop: the run saves and ends by itself.
#pragma once

namespace heed::cli {

// From now on the first of these signals only sets the flag; a further one, two seconds later or
// more, ends the process as usual.
void catch_stop_signals();
bool stop_requested();

}  // namespace heed::cli
