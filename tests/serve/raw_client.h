// A client that sends arbitrary bytes, valid or not.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace heed::test {

class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot connect");
  }
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // Returns false if the server has closed the connection.
  bool send(const std::string& bytes) const {
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<size_t>(count);
    }
    return true;
  }
  // Everything until the server closes the connection.
  std::string receive_all() const {
    std::string all;
    char part[4096];
    while (true) {
      const ssize_t count = ::recv(socket_, part, sizeof part, 0);
      if (count <= 0) return all;
      all.append(part, static_cast<size_t>(count));
    }
  }
  // Receives at least until `end` has arrived.
  std::string receive_until(const std::string& end) const {
    std::string all;
    char part[4096];
    while (all.find(end) == std::string::npos) {
      const ssize_t count = ::recv(socket_, part, sizeof part, 0);
      if (count <= 0) return all;
      all.append(part, static_cast<size_t>(count));
    }
    return all;
  }

 private:
  int socket_;
};

inline std::string post_of(const std::string& body, const std::string& more_headers = "") {
  return "POST /translate HTTP/1.1\r\nHost: x\r\n" + more_headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace heed::test
