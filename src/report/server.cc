#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include "onnx_expose/report.h"
#include "onnx_expose/serve.h"
#include "report/answer.h"
#include "report/served_dump.h"

namespace onnx_expose {
namespace {

constexpr const char* kLoopback = "127.0.0.1";

// The port that a listening socket got.
int PortOf(evhttp_bound_socket* socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (::getsockname(evhttp_bound_socket_get_fd(socket),
                    reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return 0;
  }
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                   : reinterpret_cast<sockaddr_in*>(&address)->sin_port);
}

std::string Parameter(const evkeyvalq& parameters, const char* name) {
  const char* text = evhttp_find_header(&parameters, name);
  return text == nullptr ? "" : text;
}

// Takes the same time wherever the difference is.
bool SameToken(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  int difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}

}  // namespace

struct ReportServer::State {
  explicit State(ServeOptions given)
      : options(std::move(given)), dump(options.folders) {}

  bool IsOwnHost(const char* host) const {
    // With a token whoever knows it may come under any name.
    if (!options.token.empty()) return true;
    if (host == nullptr) return false;
    const std::string_view name = host;
    return name == fmt::format("{}:{}", kLoopback, port) ||
           name == fmt::format("localhost:{}", port);
  }

  Answer AnswerTo(evhttp_request* request);
  void Reply(evhttp_request* request, const Answer& answer);

  ServeOptions options;
  ServedDump dump;
  std::string url;
  int port = 0;
  std::unique_ptr<event_base, decltype(&event_base_free)> base{event_base_new(),
                                                               event_base_free};
  std::unique_ptr<evhttp, decltype(&evhttp_free)> http{evhttp_new(base.get()),
                                                       evhttp_free};
};

Answer ReportServer::State::AnswerTo(evhttp_request* request) {
  const evhttp_cmd_type method = evhttp_request_get_command(request);
  if (method != EVHTTP_REQ_GET && method != EVHTTP_REQ_HEAD) {
    return Refusal(405, "GET and HEAD alone");
  }
  if (!IsOwnHost(evhttp_find_header(evhttp_request_get_input_headers(request),
                                    "Host"))) {
    return Refusal(403, "not the address of this server");
  }
  const evhttp_uri* uri = evhttp_request_get_evhttp_uri(request);
  const char* query = evhttp_uri_get_query(uri);
  const char* path = evhttp_uri_get_path(uri);
  evkeyvalq parameters;
  if (evhttp_parse_query_str(query == nullptr ? "" : query, &parameters) != 0) {
    return Refusal(400, "the query can't be read");
  }
  const std::string token = Parameter(parameters, "token");
  const std::string slice = Parameter(parameters, "slice");
  const std::string side = Parameter(parameters, "side");
  evhttp_clear_headers(&parameters);
  if (!options.token.empty() && !SameToken(token, options.token)) {
    return Refusal(403, "the token is missing or wrong");
  }
  return dump.Get(path == nullptr ? "" : path, slice, side == "b");
}

void ReportServer::State::Reply(evhttp_request* request, const Answer& answer) {
  evkeyvalq* headers = evhttp_request_get_output_headers(request);
  for (const auto& [name, value] :
       {std::pair{"Content-Type", answer.type.c_str()},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
        {"Connection", "close"}}) {
    evhttp_add_header(headers, name, value);
  }
  if (answer.status == 405) evhttp_add_header(headers, "Allow", "GET, HEAD");
  evbuffer* body = evbuffer_new();
  // HEAD: the length of what GET would get, and nothing else.
  if (evhttp_request_get_command(request) != EVHTTP_REQ_HEAD) {
    evbuffer_add(body, answer.body.data(), answer.body.size());
  }
  evhttp_add_header(headers, "Content-Length",
                    std::to_string(answer.body.size()).c_str());
  evhttp_send_reply(request, answer.status, nullptr, body);
  evbuffer_free(body);
}

ReportServer::ReportServer(ServeOptions options)
    : state_(std::make_unique<State>(std::move(options))) {
  event_set_log_callback([](int, const char*) {});  // it would print
  constexpr int kSeconds = 30;
  constexpr int kMostHeader = 16 << 10;
  State& state = *state_;
  evhttp* http = state.http.get();
  evhttp_set_timeout(http, kSeconds);
  evhttp_set_max_headers_size(http, kMostHeader);
  evhttp_set_max_body_size(http, 0);
  // Others get an answer of ours.
  evhttp_set_allowed_methods(http, 0xffff);
  evhttp_set_gencb(
      http,
      [](evhttp_request* request, void* self) {
        auto& server = *static_cast<State*>(self);
        server.Reply(request, server.AnswerTo(request));
      },
      &state);
  errno = 0;
  evhttp_bound_socket* socket =
      evhttp_bind_socket_with_handle(http, state.options.host.c_str(),
                                     static_cast<uint16_t>(state.options.port));
  if (socket == nullptr) {
    const bool taken = errno == EADDRINUSE || errno == EACCES;
    throw Error(ExitCode::kOutput, "",
                {fmt::format("can't serve at {}:{}", state.options.host,
                             state.options.port),
                 "",
                 taken ? "--port 0 takes any free port"
                       : "--host takes an address of this machine"});
  }
  state.port = PortOf(socket);
  const bool six = state.options.host.find(':') != std::string::npos;
  state.url = fmt::format(
      "http://{}{}{}:{}/{}{}", six ? "[" : "", state.options.host,
      six ? "]" : "", state.port,
      state.options.token.empty() ? "" : "?token=", state.options.token);
}

ReportServer::~ReportServer() = default;

const std::string& ReportServer::url() const { return state_->url; }

void ReportServer::Run() { event_base_dispatch(state_->base.get()); }

void ReportServer::Stop() { event_base_loopbreak(state_->base.get()); }

std::string RandomToken() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes)) {
    throw Error(ExitCode::kOutput, "",
                {"the system gives no random numbers", "", ""});
  }
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace onnx_expose
