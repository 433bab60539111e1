// SIGINT, SIGTERM and SIGHUP (the terminal is gone) as a wish to stop: the run saves and ends by
// itself. Those that the program was started to ignore stay ignored.
#pragma once

namespace heed::cli {

// Gives these signals to a thread of their own. Called before any other thread starts, as threads
// inherit what they leave alone. A signal still ends the process as usual.
void watch_stop_signals();

// From now on the first signal only sets the flag; a further one, two seconds later or more, ends
// the process as usual.
void catch_stop_signals();
bool stop_requested();

}  // namespace heed::cli
