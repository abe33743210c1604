#include "analyse/confirm_looks.h"

#include <algorithm>

#include "base/digest.h"

namespace kcost {
namespace {

using model::Look;
using model::Measurement;

std::uint64_t repetitions_in(const Measurement& side) {
    std::uint64_t sum = 0;
    for (const model::MeasuredSession& session : side.sessions) sum += session.repetitions.size();
    return sum;
}

std::string kernel_of(const Measurement& side) {
    if (side.sessions.empty()) return "";
    const model::KernelIdentity& kernel = side.sessions.front().kernel;
    const bool known = !kernel.build_id.empty() && !kernel.build_id.starts_with("unknown");
    return known ? kernel.build_id : kernel.release + " " + kernel.version;
}

// By its sessions, not by their number: what was measured anew is another side.
std::string digest_of(const Measurement& side) {
    Digest digest;
    for (const model::MeasuredSession& session : side.sessions) {
        digest.add(session.boot_id);
        digest.add(session.started_at);
        digest.add(session.started_ns);
        digest.add(session.seed);
        digest.add(std::uint64_t{session.repetitions.size()});
    }
    return digest.text();
}

bool is_same(const Look& one, const Look& other) {
    return one.other == other.other && one.repetitions == other.repetitions &&
           one.other_digest == other.other_digest;
}

unsigned number_in(const Measurement& side, const Look& look) {
    unsigned earlier = 0;
    for (const Look& it : side.looks) {
        if (is_same(it, look)) return earlier + 1;
        if (it.other == look.other) ++earlier;
    }
    return earlier + 1;
}

}  // namespace

Look look_at(const Measurement& side, const Measurement& other, const std::string& at) {
    return {at, repetitions_in(side), digest_of(other), kernel_of(other)};
}

unsigned number_of_look(const Measurement& before, const Measurement& after) {
    return std::max(number_in(before, look_at(before, after, "")),
                    number_in(after, look_at(after, before, "")));
}

bool has_look(const Measurement& side, const Look& look) {
    return std::any_of(side.looks.begin(), side.looks.end(),
                       [&](const Look& it) { return is_same(it, look); });
}

}  // namespace kcost
