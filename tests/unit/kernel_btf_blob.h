// BTF blobs, made in a test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kcost::kernel {

class BtfBlob {
public:
    std::uint32_t name(const std::string& text) {
        if (text.empty()) return 0;
        const auto offset = static_cast<std::uint32_t>(strings_.size());
        strings_ += text + '\0';
        return offset;
    }
    /// Its number.
    std::uint32_t type(std::uint32_t kind, const std::string& text, std::uint32_t count,
                       std::uint32_t other, const std::vector<std::uint32_t>& behind = {}) {
        for (const std::uint32_t word : {name(text), kind << 24 | count, other}) {
            put(types_, word);
        }
        for (const std::uint32_t word : behind) put(types_, word);
        return ++count_;
    }
    /// Members of type int; a name may be empty, its type is then the number behind it.
    std::uint32_t structure(const std::string& text, const std::vector<std::string>& members,
                            std::uint32_t of_unnamed = 1) {
        std::vector<std::uint32_t> behind;
        for (const std::string& member : members) {
            const std::uint32_t words[] = {name(member), member.empty() ? of_unnamed : 1, 0};
            behind.insert(behind.end(), std::begin(words), std::end(words));
        }
        return type(4, text, static_cast<std::uint32_t>(members.size()), 4, behind);
    }
    std::uint32_t integer() { return type(1, "int", 0, 4, {32}); }

    std::string bytes() const {
        std::string all;
        put(all, 0x0001eb9f);
        for (const std::size_t word :
             {std::size_t{24}, std::size_t{0}, types_.size(), types_.size(), strings_.size()}) {
            put(all, static_cast<std::uint32_t>(word));
        }
        return all + types_ + strings_;
    }

private:
    static void put(std::string& to, std::uint32_t word) {
        for (int i = 0; i < 4; i++) to += static_cast<char>(word >> 8 * i & 0xff);
    }

    std::string types_;
    std::string strings_ = std::string(1, '\0');
    std::uint32_t count_ = 0;
};

}  // namespace kcost::kernel
