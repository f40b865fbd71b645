#include "profiler/check/kept_folder.hpp"

#include <filesystem>
#include <system_error>

#include "profiler/export/sink.hpp"
#include "profiler/tensors/file_formats.hpp"

namespace fusescope::check {

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
    tensors::write_npy(value.dtype, value.shape, static_cast<const std::byte*>(value.bytes),
                       [&](std::span<const std::byte> part) {
                           sink.write({reinterpret_cast<const char*>(part.data()), part.size()});
                           return true;
                       });
    sink.commit();
    return name;
}

void KeptFolder::write(const CheckResult& result) const {
    FileSink sink(path_of(kAnswer));
    sink.write(to_json(result));
    sink.commit();
}

}  // namespace fusescope::check
