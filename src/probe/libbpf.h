// Owners for libbpf's types, and its messages: kept to explain a failure, never printed at users.
#pragma once

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"

namespace kcost::probe {

struct LinkDeleter {
    void operator()(bpf_link* link) const { bpf_link__destroy(link); }
};
using Link = std::unique_ptr<bpf_link, LinkDeleter>;

/// Sends libbpf's messages to the debug log and keeps the latest warnings. Call once, first.
void take_over_libbpf_messages();

/// The warnings since the last call, the most telling line of them, or the text of `error`.
std::string explain_libbpf_failure(int error);

/// A map's memory, shared with the programs, unmapped at the end.
class MappedMap {
public:
    static Result<MappedMap> map(int map_fd, std::size_t bytes);
    MappedMap() = default;
    MappedMap(MappedMap&& other) noexcept;
    MappedMap& operator=(MappedMap&& other) noexcept;
    ~MappedMap();

    template <typename T>
    T* as() const {
        return static_cast<T*>(memory_);
    }

private:
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace kcost::probe
