#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "onnx_expose/dump.h"
#include "onnx_expose/serve.h"
#include "tests/support/model_files.h"
#include "tests/support/tensors.h"

namespace onnx_expose {
namespace {

using testing::DataOf;
using testing::FloatsOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using testing::TemporaryFolder;

constexpr const char* kRefused = "HTTP/1.1 403";
constexpr const char* kServed = "HTTP/1.1 200";
constexpr const char* kNothingThere = "HTTP/1.1 404";

// A server with a dump of one value, as long as it lives.
class RunningServer {
 public:
  explicit RunningServer(std::string token = "")
      : server_(Options(std::move(token))), thread_([this] { server_.Run(); }) {
    Ask("/");  // now it runs: Stop before that would be forgotten
  }
  ~RunningServer() {
    server_.Stop();
    const int fd = Send("/", host());  // wakes it up
    thread_.join();
    ::close(fd);
  }
  const std::string& url() const { return server_.url(); }
  std::string host() const {
    const size_t from = std::string_view("http://").size();
    return url().substr(from, url().find('/', from) - from);
  }

  // A connection on which a request was sent.
  int Send(const std::string& target, const std::string& host,
           const std::string& method = "GET") const {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const std::string own = this->host();
    address.sin_port =
        htons(static_cast<uint16_t>(std::stoi(own.substr(own.find(':') + 1))));
    EXPECT_EQ(
        ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)),
        0);
    const std::string text = method + " " + target + " HTTP/1.1\r\n" +
                             (host.empty() ? "" : "Host: " + host + "\r\n") +
                             "\r\n";
    EXPECT_EQ(::send(fd, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
    return fd;
  }

  static std::string Receive(int fd) {
    std::string text;
    char block[4096];
    for (ssize_t got; (got = ::recv(fd, block, sizeof(block), 0)) > 0;) {
      text.append(block, static_cast<size_t>(got));
    }
    ::close(fd);
    return text;
  }

  std::string Ask(const std::string& target) const {
    return Receive(Send(target, host()));
  }

 private:
  ServeOptions Options(std::string token) {
    const std::string path = folder_.path() + "/d";
    DumpWriter dump(path, {});
    DumpedValue value;
    value.name = "secret";
    dump.Add(value, DataOf(FloatsOf({1, 2})));
    dump.Finish({});
    ServeOptions options;
    options.folders = {path};
    options.token = std::move(token);
    return options;
  }

  const TemporaryFolder folder_;
  ReportServer server_;
  std::thread thread_;
};

TEST(ReportServer, ServesItsOwnHostAlone) {
  const RunningServer server;
  EXPECT_THAT(server.Ask("/"), StartsWith(kServed));
  for (const char* host : {"evil.example", "evil.example:80", "127.0.0.1:1",
                           "127.0.0.1", "localhost", ""}) {
    const std::string answer =
        RunningServer::Receive(server.Send("/layer/0", host));
    EXPECT_THAT(answer, Not(StartsWith(kServed))) << host;
    EXPECT_THAT(answer, Not(HasSubstr("secret"))) << host;
  }
  std::string other = server.host();
  other.replace(0, other.find(':'), "localhost");
  EXPECT_THAT(RunningServer::Receive(server.Send("/layer/0", other)),
              StartsWith(kServed));
}

TEST(ReportServer, AsksForItsToken) {
  const std::string token = RandomToken();
  const RunningServer server(token);
  EXPECT_THAT(server.url(), HasSubstr("?token=" + token));
  for (const char* path :
       {"/", "/layer/0", "/api/manifest", "/api/values/0", "/nothing"}) {
    const std::string plain = path;
    for (const std::string& target :
         {plain, plain + "?token=", plain + "?token=" + token.substr(1),
          plain + "?token=" + token + "0", plain + "?other=" + token}) {
      const std::string answer = server.Ask(target);
      EXPECT_THAT(answer, StartsWith(kRefused)) << target;
      EXPECT_THAT(answer, Not(HasSubstr("secret"))) << target;
    }
    EXPECT_THAT(server.Ask(plain + "?token=" + token),
                Not(StartsWith(kRefused)));
  }
  EXPECT_THAT(server.Ask("/api/values/0?slice=1&token=" + token),
              StartsWith(kServed));
}

TEST(ReportServer, ATakenPort) {
  const RunningServer server;
  const std::string host = server.host();
  const TemporaryFolder folder;
  DumpWriter dump(folder.path() + "/d", {});
  dump.Finish({});
  ServeOptions options;
  options.folders = {folder.path() + "/d"};
  options.port = std::stoi(host.substr(host.find(':') + 1));
  try {
    const ReportServer other(options);
    FAIL() << "two servers at " << host;
  } catch (const Error& error) {
    EXPECT_EQ(error.message().what, "can't serve at " + host);
    EXPECT_EQ(error.message().hint, "--port 0 takes any free port");
  }
}

TEST(ReportServer, TokensDiffer) {
  EXPECT_EQ(RandomToken().size(), 32u);
  EXPECT_NE(RandomToken(), RandomToken());
}

TEST(ReportServer, NoWayOutOfItsAddresses) {
  const RunningServer server;
  for (const char* target :
       {"/../manifest.json", "/layer/../../etc/passwd", "/%2e%2e/manifest.json",
        "/d/manifest.json", "//etc/passwd", "/layer/0/..", "/layer/%30"}) {
    EXPECT_THAT(server.Ask(target), StartsWith(kNothingThere)) << target;
  }
}

TEST(ReportServer, ReadsAlone) {
  const RunningServer server;
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS"}) {
    EXPECT_THAT(RunningServer::Receive(server.Send("/", server.host(), method)),
                StartsWith("HTTP/1.1 405"))
        << method;
  }
  const std::string head =
      RunningServer::Receive(server.Send("/layer/0", server.host(), "HEAD"));
  EXPECT_THAT(head, StartsWith(kServed));
  EXPECT_THAT(head, Not(HasSubstr("secret")));
}

TEST(ReportServer, ManyAtOnce) {
  const RunningServer server;
  std::vector<int> open;
  for (int i = 0; i < 200; ++i) {
    open.push_back(server.Send("/layer/0", server.host()));
  }
  for (const int fd : open) {
    const std::string answer = RunningServer::Receive(fd);
    EXPECT_THAT(answer, StartsWith(kServed));
    EXPECT_THAT(answer, HasSubstr("secret"));
  }
}

}  // namespace
}  // namespace onnx_expose
