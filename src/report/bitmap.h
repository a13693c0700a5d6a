#ifndef ONNX_EXPOSE_REPORT_BITMAP_H_
#define ONNX_EXPOSE_REPORT_BITMAP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "onnx_expose/statistics.h"
#include "report/colours.h"
#include "report/reduced_tensor.h"
#include "report/view.h"

namespace onnx_expose {

// A picture of RGB pixels, white at first.
class Bitmap {
 public:
  Bitmap(int width, int height);
  int width() const { return width_; }
  int height() const { return height_; }
  // A rectangle; what lies outside is left out.
  void Fill(int left, int top, int width, int height, Colour colour);
  void Paste(const Bitmap& other, int left, int top);
  std::string Png() const;

 private:
  int width_;
  int height_;
  std::vector<uint8_t> pixels_;
};

// Channels as a grid of planes with a gap between, as square as that can be;
// an element is as many pixels as keep the whole at about 640 pixels a side.
// Only the first batch.
Bitmap DrawTensor(const ReducedTensor& tensor, View view, Range range);

Bitmap DrawHistogram(const Statistics& stats);

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REPORT_BITMAP_H_
