#include "analyse/callers.h"

#include <algorithm>
#include <map>

namespace kcost {
namespace {

// Root first: the process, callers, the target itself last.
std::string chain_of(const std::vector<std::string>& frames, std::size_t depth) {
    std::string chain;
    std::size_t taken = 0;
    for (std::size_t i = frames.size() - 1; i-- > 1 && taken < depth; taken++) {
        chain += (chain.empty() ? "" : " < ") + frames[i];
    }
    return chain.empty() ? "(no callers known)" : chain;
}

}  // namespace

std::vector<Caller> hottest_callers(const model::Report& report, const std::string& target,
                                    std::size_t count, std::size_t depth) {
    std::map<std::string, double> calls;
    double all = 0;
    for (const model::FoldedStack& stack : report.stacks) {
        if (stack.target != target || stack.frames.empty()) continue;
        calls[chain_of(stack.frames, depth)] += stack.calls;
        all += stack.calls;
    }
    std::vector<Caller> callers;
    for (const auto& [chain, weight] : calls) callers.push_back({chain, all ? weight / all : 0});
    std::stable_sort(callers.begin(), callers.end(),
                     [](const Caller& a, const Caller& b) { return a.share > b.share; });
    if (callers.size() > count) callers.resize(count);
    return callers;
}

}  // namespace kcost
