// One site's programs: loaded with its constants, attached by one mechanism, and its figures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bpf/abi.h"
#include "probe/shared_maps.h"

namespace kcost::probe {

enum class Mechanism { kFentry, kKprobe, kUser };
const char* name_of(Mechanism mechanism);

/// Where a site is: a kernel function by name, or where its name is not unique by address, or a
/// function of a program.
struct Place {
    std::string function;
    std::uint64_t address = 0;
    bool by_address = false;
    std::string user_path;
};

class SpanPrograms {
public:
    /// Opens, loads and attaches; every failure says which of these and why.
    static Result<SpanPrograms> attach(Mechanism mechanism, const Place& place,
                                       const kc_settings& settings, const SharedMaps& shared);

    /// Cells of all CPUs and splits: index cpu * splits + split.
    kc_cell* cells() const { return cells_.as<kc_cell>(); }
    const kc_split* splits() const { return splits_.as<kc_split>(); }
    const kc_settings& settings() const { return settings_; }

    /// Hits that the kernel itself kept from the programs. Nothing: the kernel does not count them.
    struct Misses {
        std::optional<std::uint64_t> recursion;  ///< of the entry program, by its recursion guard
        std::optional<std::uint64_t> kprobe;     ///< of the probe, in another probe's handler
        std::optional<std::uint64_t> kretprobe;  ///< no free return instance
    };
    Misses misses() const;

    void detach();

private:
    Result<void> load(Mechanism mechanism, const Place& place, const SharedMaps& shared);
    Result<void> attach_links(const Place& place);
    Result<Link> attach_program(bpf_program* program, const Place& place, bool at_exit) const;

    Mechanism mechanism_ = Mechanism::kFentry;
    kc_settings settings_ = {};
    Skeleton skeleton_;
    bpf_program* entry_ = nullptr;
    bpf_program* exit_ = nullptr;  ///< none where entries are only counted
    Link entry_link_;
    Link exit_link_;
    MappedMap cells_;
    MappedMap splits_;
};

/// Bytes of kernel memory that a site's own maps take.
std::size_t site_bytes(const kc_settings& settings);
/// File descriptors that a site needs while it is attached.
constexpr unsigned kSiteFds = 16;

}  // namespace kcost::probe
