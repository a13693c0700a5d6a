#ifndef ONNX_EXPOSE_CLI_MAIN_H_
#define ONNX_EXPOSE_CLI_MAIN_H_

namespace onnx_expose::cli {

// The program: runs the command line and returns the exit code. Everything
// that is thrown below ends here.
int Main(int argc, char** argv);

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_MAIN_H_
