#include "kernel/user_maps.h"

#include <cinttypes>
#include <cstdio>

#include "base/text.h"

namespace kcost::kernel {

Result<UserMaps> UserMaps::read(const Root& root, std::uint32_t pid) {
    auto text = read_file(root.at("/proc/" + std::to_string(pid) + "/maps"));
    if (!text) return tl::unexpected(text.error());
    return UserMaps(*text);
}

UserMaps::UserMaps(std::string_view text) {
    for (std::string_view line : split(text, '\n')) {
        Mapping mapping{};
        char rights[8] = "";
        int name_at = 0;
        std::string copy(line);
        int fields =
            std::sscanf(copy.c_str(), "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n",
                        &mapping.begin, &mapping.end, rights, &mapping.file_offset, &name_at);
        if (fields < 4 || rights[2] != 'x') continue;
        std::string_view path = std::string_view(copy).substr(name_at ? name_at : copy.size());
        mapping.object = path.substr(path.rfind('/') + 1);
        if (mapping.object.empty()) mapping.object = "[anonymous]";
        mappings_.push_back(std::move(mapping));
    }
}

const UserMaps::Mapping* UserMaps::mapping_of(std::uint64_t address) const {
    for (const Mapping& mapping : mappings_) {
        if (address >= mapping.begin && address < mapping.end) return &mapping;
    }
    return nullptr;
}

std::optional<std::uint64_t> UserMaps::file_offset(std::uint64_t address) const {
    const Mapping* mapping = mapping_of(address);
    if (!mapping) return std::nullopt;
    return address - mapping->begin + mapping->file_offset;
}

std::string UserMaps::describe(std::uint64_t address) const {
    const auto offset = file_offset(address);
    char text[32];
    std::snprintf(text, sizeof text, "+0x%" PRIx64, offset.value_or(address));
    return (offset ? mapping_of(address)->object : "[unknown]") + text;
}

}  // namespace kcost::kernel
