#include "cli/main.h"

int main(int argc, char** argv) { return onnx_expose::cli::Main(argc, argv); }
