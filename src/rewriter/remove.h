#ifndef ONNX_EXPOSE_REWRITER_REMOVE_H_
#define ONNX_EXPOSE_REWRITER_REMOVE_H_

namespace onnx_expose {

// Removes the entries of a repeated field for which leaves(entry, position) is
// true, keeping the order. Whether there were any.
template <typename List, typename Test>
bool Remove(List& list, const Test& leaves) {
  int kept = 0;
  for (int i = 0; i < list.size(); ++i) {
    if (!leaves(list.Get(i), i)) list.SwapElements(kept++, i);
  }
  const bool any = kept < list.size();
  list.DeleteSubrange(kept, list.size() - kept);
  return any;
}

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_REMOVE_H_
