#ifndef ONNX_EXPOSE_SERVE_H_
#define ONNX_EXPOSE_SERVE_H_

#include <memory>
#include <string>
#include <vector>

namespace onnx_expose {

struct ServeOptions {
  std::vector<std::string> folders;  // one dump or two
  std::string host = "127.0.0.1";
  int port = 0;  // 0: any that is free
  // Asked for in every address (?token=...); empty: none.
  std::string token;
};

// The report's page over HTTP, values read when they are asked for, so that
// dumps of any size work. One dump may be of a run that still goes on.
//
//   /                         the page
//   /layer/ID                 a value: statistics, thinned out elements (JSON)
//   /api/manifest             all values (JSON)
//   /api/values/ID            elements as an npy file; ?slice=0,3,10:20 as in
//                             numpy, ?side=b of the second dump
//
// GET and HEAD alone; what the client asks for is never a part of a path.
// Requests whose Host header isn't the server's address are refused, so that
// no web page can read a dump through the browser of who looks at it.
//
//   ReportServer server({{"dump"}});
//   Say(server.url());
//   server.Run();  // never returns by itself
class ReportServer {
 public:
  // Throws Error(kInput): no dump. Error(kOutput): the address can't be had.
  explicit ReportServer(ServeOptions options);
  ~ReportServer();
  const std::string& url() const;
  void Run();
  // Makes Run, which must have begun, return at the next request.
  void Stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// 32 random hex digits.
std::string RandomToken();

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_SERVE_H_
