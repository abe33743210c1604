#include "probe/payers.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace kcost::probe {
namespace {

// Addresses of the kernel have the high bits set on both architectures.
bool is_kernel(std::uint64_t address) { return address >> 63; }

template <typename Visit>
void for_each_payer(int map_fd, Visit visit) {
    kc_payer_key key;
    kc_payer_key next;
    const void* previous = nullptr;
    while (bpf_map_get_next_key(map_fd, previous, &next) == 0) {
        kc_payer value;
        if (bpf_map_lookup_elem(map_fd, &next, &value) == 0) visit(next, value);
        key = next;
        previous = &key;
    }
}

// Where another return probe had put its trampoline in place of the return address, the caller is
// not known. The name up to 6.13, and since.
bool is_return_trampoline(std::string_view name) {
    return name == "__kretprobe_trampoline" || name == "arch_rethook_trampoline" ||
           name == "return_to_handler";
}

std::vector<std::uint64_t> stack_of(int stacks_fd, std::int32_t id) {
    std::array<std::uint64_t, KC_STACK_FRAMES> frames{};
    if (id < 0 || bpf_map_lookup_elem(stacks_fd, &id, frames.data())) return {};
    std::vector<std::uint64_t> stack;
    for (std::uint64_t frame : frames) {
        if (!frame) break;
        stack.push_back(frame);
    }
    return stack;
}

}  // namespace

void Payers::look_at_processes(const SharedMaps& shared) {
    for_each_payer(shared.payers_fd(), [&](const kc_payer_key& key, const kc_payer&) {
        if (key.user_stack < 0 || processes_.contains(key.tgid)) return;
        auto maps = kernel::UserMaps::read(root_, key.tgid);
        if (maps) processes_.emplace(key.tgid, std::move(*maps));
    });
}

bool Payers::read_symbols(bool names) {
    if (names && !symbols_ && !symbols_failed_) {
        auto symbols = kernel::Symbols::read(root_);
        symbols_failed_ = !symbols;
        if (symbols) symbols_ = std::move(*symbols);
    }
    return symbols_.has_value();
}

std::string Payers::plain_name(std::uint64_t address) { return fmt::format("{:#x}", address); }

std::string Payers::frame_name(std::uint64_t address, std::uint32_t tgid, bool names) {
    if (is_kernel(address)) {
        auto location = read_symbols(names) ? symbols_->resolve(address) : std::nullopt;
        bool hidden = location && is_return_trampoline(location->symbol.name);
        if (hidden) return "unknown (another return probe was first)";
        return location ? kernel::to_string(*location) : plain_name(address);
    }
    auto process = processes_.find(tgid);
    if (process == processes_.end()) return fmt::format("[unknown]+{:#x}", address);
    return process->second.describe(address);
}

// A frame of a stack is its function: where in it the call is would tell equal stacks apart. The
// programs' own frames are left out, they are the probe and not the kernel.
std::string Payers::stack_frame(std::uint64_t address, std::uint32_t tgid, bool names) {
    if (!is_kernel(address) || !read_symbols(names)) return frame_name(address, tgid, names);
    auto location = symbols_->resolve(address);
    if (!location) return plain_name(address);
    std::string_view module = location->symbol.module;
    if (module == "bpf" || module == "__builtin__ftrace" || module == "__builtin__kprobes") {
        return "";
    }
    if (is_return_trampoline(location->symbol.name)) return "";
    location->offset = 0;
    return kernel::to_string(*location);
}

std::uint32_t Payers::frame_index(const std::string& name, model::Recording& recording) {
    auto [place, is_new] =
        frame_numbers_.try_emplace(name, static_cast<std::uint32_t>(recording.frame_names.size()));
    if (is_new) recording.frame_names.push_back(name);
    return place->second;
}

std::vector<std::uint32_t> Payers::frames_of(const std::vector<std::uint64_t>& stack,
                                             std::uint32_t tgid, bool names,
                                             model::Recording& recording) {
    std::vector<std::uint32_t> frames;
    bool after_probe = false;
    for (std::uint64_t address : stack) {
        std::string name = stack_frame(address, tgid, names);
        if (name.empty()) {
            after_probe = true;
            continue;
        }
        std::uint32_t frame = frame_index(name, recording);
        // Around a trampoline stand two records of the function that it traces.
        bool again = after_probe && !frames.empty() && frames.back() == frame;
        if (!again) frames.push_back(frame);
        after_probe = false;
    }
    return frames;
}

void Payers::collect(const SharedMaps& shared,
                     const std::vector<std::optional<std::size_t>>& target_of, bool names,
                     model::Recording& recording) {
    frame_numbers_.clear();
    look_at_processes(shared);
    for_each_payer(shared.payers_fd(), [&](const kc_payer_key& key, const kc_payer& value) {
        if (key.target >= target_of.size() || !target_of[key.target]) return;
        model::Payer payer;
        payer.target = *target_of[key.target];
        payer.tgid = key.tgid;
        payer.comm.assign(key.comm, ::strnlen(key.comm, sizeof key.comm));
        payer.spans = value.spans;
        payer.total_ns = value.total_ns;
        std::int32_t id = key.kernel_stack >= 0 ? key.kernel_stack : key.user_stack;
        std::vector<std::uint64_t> stack = stack_of(shared.stacks_fd(), id);
        // A probe at a function's first instruction comes before its frame record, so the walk
        // leaves out the direct caller: the link register has it.
        bool missing = key.caller && (stack.size() < 2 || stack[1] != key.caller);
        if (missing) stack.insert(stack.begin() + (stack.empty() ? 0 : 1), key.caller);
        payer.frames = frames_of(stack, key.tgid, names, recording);
        recording.payers.push_back(std::move(payer));
    });
}

}  // namespace kcost::probe
