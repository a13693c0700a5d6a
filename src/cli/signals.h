#ifndef ONNX_EXPOSE_CLI_SIGNALS_H_
#define ONNX_EXPOSE_CLI_SIGNALS_H_

namespace onnx_expose::cli {

// When the user or the system stops the program, its temporary files go and
// the exit code is 130. A reader of standard output that goes away ends it as
// it ends every filter, with SIGPIPE. A file that becomes shorter while it is
// read is an error as other unreadable input: it may be mapped into memory.
void InstallSignalHandlers();

// Opens what is missing of standard input, output and error: a model file
// must not get one of their numbers and have messages written into it.
void KeepStandardStreams();

}  // namespace onnx_expose::cli

#endif  // ONNX_EXPOSE_CLI_SIGNALS_H_
