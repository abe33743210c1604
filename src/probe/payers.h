// Who made the targets run: the programs' table of processes and stacks, with names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernel/root.h"
#include "kernel/symbols.h"
#include "kernel/user_maps.h"
#include "model/recording.h"
#include "probe/shared_maps.h"

namespace kcost::probe {

class Payers {
public:
    explicit Payers(kernel::Root root) : root_(std::move(root)) {}

    /// Reads the maps of processes with user stacks that are new: later they may be gone.
    void look_at_processes(const SharedMaps& shared);

    /// Fills payers and frame_names. `target_of` gives the recording's target of a site, or none.
    void collect(const SharedMaps& shared, const std::vector<std::optional<std::size_t>>& target_of,
                 bool names, model::Recording& recording);

    /// Symbol, symbol+0x…, or object+0x…; an address where there is no name.
    std::string frame_name(std::uint64_t address, std::uint32_t tgid, bool names);

    static std::string plain_name(std::uint64_t address);

private:
    bool read_symbols(bool names);
    std::string stack_frame(std::uint64_t address, std::uint32_t tgid, bool names);
    std::uint32_t frame_index(const std::string& name, model::Recording& recording);
    std::vector<std::uint32_t> frames_of(const std::vector<std::uint64_t>& stack,
                                         std::uint32_t tgid, bool names,
                                         model::Recording& recording);

    kernel::Root root_;
    std::optional<kernel::Symbols> symbols_;
    bool symbols_failed_ = false;
    std::map<std::uint32_t, kernel::UserMaps> processes_;
    std::map<std::string, std::uint32_t> frame_numbers_;
};

}  // namespace kcost::probe
