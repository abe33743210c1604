// One site's programs: loaded with its constants, attached by one mechanism, and its figures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bpf/abi.h"
#include "probe/breakpoints.h"
#include "probe/shared_maps.h"

namespace kcost::probe {

enum class Mechanism { kFentry, kKprobe, kOpsite, kHwbreak, kUser };
const char* name_of(Mechanism mechanism);

/// Where a site is: a kernel function by name, or where its name is not unique by address, an
/// instruction in it, or a function of a program.
struct Place {
    std::string function;
    std::string label;  ///< where it is shown; empty: the function
    std::uint64_t address = 0;
    bool by_address = false;
    std::string user_path;
    std::vector<std::uint64_t> exits;  ///< where spans end, for opsite and hwbreak
    bool operation = false;            ///< an inlined operation
    bool frame_record = false;         ///< amid its function, whose frame record is made there
    bool amid = false;                 ///< an instruction: entries only
    bool may_break = false;            ///< a breakpoint may be the last resort
    std::string no_exits;              ///< why a breakpoint could only count
    std::string only;                  ///< name of the one mechanism asked for; empty: any
    std::uint64_t end = 0;             ///< where the function ends; 0: not known
    std::vector<unsigned> cpus;        ///< breakpoints on these only; empty: on all
    unsigned most_hits = 0;            ///< after which a breakpoint disarms itself; 0: never
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
        std::optional<std::uint64_t> exit;       ///< no free return instance, or as `kprobe`
        std::uint64_t breakpoint = 0;            ///< dropped while another program ran
    };
    Misses misses() const;

    /// Sets breakpoints on CPUs that came online since.
    Result<void> follow_cpus(const std::vector<unsigned>& online);
    /// More than 0: hits on these CPUs were not seen until their breakpoints were set.
    unsigned cpus_that_came() const { return breakpoints_ ? breakpoints_->cpus_that_came() : 0; }

    void detach();

private:
    Result<void> load(Mechanism mechanism, const Place& place, const SharedMaps& shared);
    void choose_programs();
    Result<void> attach_links(const Place& place);
    Result<void> attach_exits(const Place& place);
    Result<void> set_breakpoints(const Place& place);
    Result<Link> attach_program(bpf_program* program, const Place& place, bool at_exit) const;
    Misses kprobe_misses() const;
    std::uint64_t breakpoint_misses() const;

    Mechanism mechanism_ = Mechanism::kFentry;
    kc_settings settings_ = {};
    Skeleton skeleton_;
    bpf_program* entry_ = nullptr;
    bpf_program* exit_ = nullptr;  ///< none where entries are only counted
    Link entry_link_;
    std::vector<Link> exit_links_;
    std::optional<Breakpoints> breakpoints_;
    MappedMap cells_;
    MappedMap splits_;
};

/// Bytes of kernel memory that a site's own maps take.
std::size_t site_bytes(const kc_settings& settings);
/// File descriptors that a site needs while it is attached.
constexpr unsigned kSiteFds = 16;

}  // namespace kcost::probe
