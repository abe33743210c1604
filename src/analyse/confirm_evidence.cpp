#include "analyse/confirm_evidence.h"

#include <fmt/format.h>

#include <set>

namespace kcost {
namespace {

using model::Evidence;
using model::Measurement;
using model::PatchFinding;

PatchFinding cannot_tell(std::string why) {
    PatchFinding finding;
    finding.why = std::move(why);
    return finding;
}

const PatchFinding* in_session(const model::MeasuredSession& session, const std::string& slug) {
    for (const model::PatchEvidence& it : session.patches)
        if (it.slug == slug) return &it.finding;
    return nullptr;
}

std::string in_words(const PatchFinding& finding) {
    const std::string form = finding.form.empty() ? "" : " (" + finding.form + ")";
    return to_string(finding.evidence) + form;
}

std::set<std::string> slugs_of(const Measurement& side) {
    std::set<std::string> slugs;
    for (const model::MeasuredSession& session : side.sessions)
        for (const model::PatchEvidence& it : session.patches) slugs.insert(it.slug);
    return slugs;
}

}  // namespace

PatchFinding finding_of(const Measurement& side, const std::string& slug) {
    const PatchFinding* found = nullptr;
    std::string why = "the measurement has no evidence of it";
    for (const model::MeasuredSession& session : side.sessions) {
        const PatchFinding* here = in_session(session, slug);
        if (here == nullptr) {
            if (!session.no_evidence.empty()) why = session.no_evidence;
            continue;
        }
        if (found != nullptr && (found->evidence != here->evidence || found->form != here->form))
            return cannot_tell(fmt::format("its sessions do not agree: {} and {}", in_words(*found),
                                           in_words(*here)));
        if (found == nullptr) found = here;
    }
    return found != nullptr ? *found : cannot_tell(why);
}

OtherPatches other_patches(const Measurement& before, const Measurement& after,
                           const std::string& slug) {
    std::set<std::string> slugs = slugs_of(before);
    slugs.merge(slugs_of(after));
    OtherPatches others;
    for (const std::string& other : slugs) {
        if (other == slug) continue;
        const PatchFinding one = finding_of(before, other);
        const PatchFinding two = finding_of(after, other);
        if (one.evidence == Evidence::kCannotTell || two.evidence == Evidence::kCannotTell)
            others.unclear.push_back(other);
        else if (one.evidence != two.evidence || one.form != two.form)
            others.differ.push_back(
                fmt::format("{} is {} before and {} after", other, in_words(one), in_words(two)));
    }
    return others;
}

}  // namespace kcost
