// Where the body of a request ends, by its headers.
#pragma once

#include <httplib.h>

#include <cstdint>

namespace heed::serve {

struct Framing {
  bool chunked = false;
  bool has_length = false;
  int64_t length = 0;  // bytes, of a body that isn't chunked
};

// By RFC 9112, section 6.3, but strictly: what a proxy in front of the server could understand in
// another way is refused, since it would take a part of the body for a request. Throws HttpError:
// 400 for headers that contradict each other or say nothing, 413 for a length past all numbers, 501
// for a coding other than chunked.
Framing framing_of(const httplib::Request& request);

}  // namespace heed::serve
