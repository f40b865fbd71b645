#include <bit>
#include <cstring>

#include "profiler/tensors/file_formats.hpp"

namespace fusescope::tensors {

namespace {

const char* description(DType dtype) {
    switch (dtype) {
        case DType::Bool:
            return "|b1";
        case DType::Int8:
            return "|i1";
        case DType::UInt8:
            return "|u1";
        case DType::Int16:
            return "<i2";
        case DType::Int32:
            return "<i4";
        case DType::Int64:
            return "<i8";
        case DType::Float16:
            return "<f2";
        case DType::Float64:
            return "<f8";
        case DType::BFloat16:
        case DType::Float32:
            break;
    }
    return "<f4";
}

std::string header(DType dtype, const Shape& shape) {
    std::string dictionary = std::string("{'descr': '") + description(dtype) +
                             "', 'fortran_order': False, 'shape': " + to_string(shape) + ", }";
    // Magic, version, length and dictionary together fill whole blocks of 64 bytes.
    constexpr std::size_t kBefore = 10;
    while ((kBefore + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
    dictionary += '\n';
    std::string all("\x93NUMPY\x01\x00", 8);
    all += static_cast<char>(dictionary.size() & 0xff);
    all += static_cast<char>(dictionary.size() >> 8);
    return all + dictionary;
}

}  // namespace

bool write_npy(DType dtype, const Shape& shape, const std::byte* data, const Sink& sink, const Stale& stale) {
    static_assert(std::endian::native == std::endian::little);
    const std::string head = header(dtype, shape);
    bool good = sink(std::as_bytes(std::span(head)));
    std::vector<std::uint32_t> wide;
    const std::size_t size = size_of(dtype);
    std::int64_t written = 0;
    in_stretches(shape.count(), stale, [&](std::int64_t begin, std::int64_t end) {
        const std::byte* from = data + static_cast<std::size_t>(begin) * size;
        const auto n = static_cast<std::size_t>(end - begin);
        if (dtype == DType::BFloat16) {
            wide.resize(n);
            for (std::size_t i = 0; i < n; ++i) {
                std::uint16_t bits;
                std::memcpy(&bits, from + i * 2, 2);
                wide[i] = static_cast<std::uint32_t>(bits) << 16;
            }
            good = good && sink(std::as_bytes(std::span(wide)));
        } else {
            good = good && sink({from, n * size});
        }
        written = end;
    });
    return good && written == shape.count();
}

bool write_npy(const Array& array, const Sink& sink, const Stale& stale) {
    return write_npy(array.dtype, array.shape, array.data(), sink, stale);
}

}  // namespace fusescope::tensors
