#include "kernel/facts.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/text.h"

namespace kcost::kernel {

std::string read_fact(const Root& root, std::string_view path) {
    const auto text = read_file(root.at(path));
    if (text) {
        const std::string_view value = trim(*text);
        return value.empty() ? "unknown (empty)" : std::string(value);
    }
    if (::access(root.at(path).c_str(), F_OK) != 0) return kUnknown;
    if (::access(root.at(path).c_str(), R_OK) != 0) return "unknown (permission denied)";
    return "unknown (unreadable)";
}

std::string read_fact_or(const Root& root, std::string_view path, std::string_view absent) {
    if (::access(root.at(path).c_str(), F_OK) != 0) return std::string(absent);
    return read_fact(root, path);
}

std::string bracketed(std::string text) {
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']', open);
    if (open == std::string::npos || close == std::string::npos) return text;
    return text.substr(open + 1, close - open - 1);
}

std::vector<std::string> list_folder(const Root& root, std::string_view path) {
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator it(root.at(path), error);
    for (const auto end = std::filesystem::directory_iterator(); !error && it != end;
         it.increment(error)) {
        names.push_back(it->path().filename().string());
    }
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    return names;
}

std::string join_distinct(const std::vector<std::string>& values) {
    std::vector<std::string_view> seen;
    std::string joined;
    for (const std::string& value : values) {
        if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
        seen.push_back(value);
        if (!joined.empty()) joined += ", ";
        joined += value;
    }
    return joined.empty() ? kUnknown : joined;
}

}  // namespace kcost::kernel
