#include "profiler/check/kept_folder.hpp"

#include <filesystem>
#include <system_error>

#include "profiler/export/sink.hpp"

namespace fusescope::check {

namespace {

const char* numpy_type(DType dtype) {
    switch (dtype) {
        case DType::Bool:
            return "|b1";
        case DType::UInt8:
            return "|u1";
        case DType::Int8:
            return "|i1";
        case DType::Int16:
            return "<i2";
        case DType::Int32:
            return "<i4";
        case DType::Int64:
            return "<i8";
        case DType::Float16:
            return "<f2";
        case DType::BFloat16:
            return "<u2";
        case DType::Float32:
            return "<f4";
        case DType::Float64:
            return "<f8";
    }
    return "|u1";
}

/// Format 1.0: magic, length of the header, the header as a Python dict, padded so that the bytes begin at a multiple
/// of 64.
std::string npy_head(DType dtype, const Shape& shape) {
    std::string extents;
    for (const std::int64_t extent : shape) extents += std::to_string(extent) + ", ";
    if (shape.size() > 1) extents.resize(extents.size() - 2);
    std::string header =
        std::string("{'descr': '") + numpy_type(dtype) + "', 'fortran_order': False, 'shape': (" + extents + "), }";
    constexpr std::size_t before = 10;
    while ((before + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string head("\x93NUMPY\x01\x00", 8);
    head += static_cast<char>(header.size() & 0xff);
    head += static_cast<char>(header.size() >> 8);
    return head + header;
}

}  // namespace

KeptFolder::KeptFolder(std::string path, std::uint64_t budget) : path_(std::move(path)), left_(budget) {
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (!std::filesystem::is_directory(path_, error)) {
        const int number = error ? error.value() : ENOTDIR;
        throw WriteError("the folder " + path_ + ": " + std::generic_category().message(number), number);
    }
}

bool KeptFolder::has(const std::string& name) const {
    std::error_code error;
    return std::filesystem::exists(path_of(name), error);
}

std::string KeptFolder::keep(const std::string& name, const Value& value) {
    const auto bytes = static_cast<std::uint64_t>(value.shape.count()) * size_of(value.dtype);
    if (value.bytes == nullptr || bytes > left_) return {};
    left_ -= bytes;
    FileSink sink(path_of(name));
    sink.write(npy_head(value.dtype, value.shape));
    sink.write({static_cast<const char*>(value.bytes), bytes});
    sink.commit();
    return name;
}

void KeptFolder::write(const CheckResult& result) const {
    FileSink sink(path_of(kAnswer));
    sink.write(to_json(result));
    sink.commit();
}

}  // namespace fusescope::check
