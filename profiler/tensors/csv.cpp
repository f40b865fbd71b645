#include "profiler/tensors/element_text.hpp"
#include "profiler/tensors/file_formats.hpp"

namespace fusescope::tensors {

bool write_csv(const Array& array, const Sink& sink, const Stale& stale) {
    const std::int64_t row = array.shape.empty() ? 1 : array.shape.back();
    bool good = true;
    std::int64_t written = 0;
    std::string text;
    in_stretches(array.count(), stale, [&](std::int64_t begin, std::int64_t end) {
        if (!good) return;
        text.clear();
        for (std::int64_t i = begin; i < end; ++i) {
            text +=
                array.dtype == DType::Bool ? (std::to_integer<int>(array.data()[i]) ? "1" : "0") : text_of(array, i);
            text += (i + 1) % row == 0 ? '\n' : ',';
        }
        good = sink(std::as_bytes(std::span(text)));
        written = end;
    });
    return good && written == array.count();
}

}  // namespace fusescope::tensors
