// Calls of a function that carries a user probe, as fast as they go. What the kernel does for a hit
// depends on the probed instruction: simulate it, or copy it to a slot in user memory, flush the
// caches for it and step over it there.
#include "workload/crew.h"
#include "workload/workload.h"

// Written out, so that neither the optimiser nor -mbranch-protection chooses the first word.
#if defined(__aarch64__)
#define PUSH "stp x29, x30, [sp, #-16]!\n ldp x29, x30, [sp], #16\n"
#define MOVE "mov x0, #0\n"
#else
#define PUSH "push %rbp\n pop %rbp\n"
#define MOVE "xor %eax, %eax\n"
#endif
#define FUNCTION(name, body)                                                                \
    asm(".pushsection .text\n.balign 16\n.globl " name "\n.type " name ", %function\n" name \
        ":\n" body " ret\n.size " name ", . - " name "\n.popsection\n")
FUNCTION("kcost_bench_nop", "nop\n");
FUNCTION("kcost_bench_push", PUSH);
FUNCTION("kcost_bench_ret", "");
FUNCTION("kcost_bench_move", MOVE);
extern "C" {
void kcost_bench_nop();
void kcost_bench_push();
void kcost_bench_ret();
void kcost_bench_move();
}

namespace kcost {
namespace {

using model::ProbedFunction;
using workload::Counter;
using workload::Job;

// The same one twice, or two in turn.
template <void (*First)(), void (*Second)()>
Result<void> call(Job& job) {
    return workload::run_threads(job, [&job](unsigned member) -> Result<void> {
        Counter& counter = job.counter(member);
        std::uint64_t calls = 0;
        job.arrive();
        while (!job.stopped()) {
            First();
            Second();
            counter.units.store(calls += 2, std::memory_order_relaxed);
        }
        return {};
    });
}

constexpr auto kCallNop = call<kcost_bench_nop, kcost_bench_nop>;
constexpr auto kCallPush = call<kcost_bench_push, kcost_bench_push>;
constexpr auto kCallRet = call<kcost_bench_ret, kcost_bench_ret>;
constexpr auto kCallInTurn = call<kcost_bench_push, kcost_bench_move>;

constexpr ProbedFunction kNop[] = {{"kcost_bench_nop", kcost_bench_nop, false}};
constexpr ProbedFunction kPush[] = {{"kcost_bench_push", kcost_bench_push, false}};
constexpr ProbedFunction kRet[] = {{"kcost_bench_ret", kcost_bench_ret, false}};
constexpr ProbedFunction kInTurn[] = {{"kcost_bench_push", kcost_bench_push, false},
                                      {"kcost_bench_move", kcost_bench_move, false}};
constexpr ProbedFunction kNopReturn[] = {{"kcost_bench_nop", kcost_bench_nop, true}};
constexpr ProbedFunction kPushReturn[] = {{"kcost_bench_push", kcost_bench_push, true}};
constexpr ProbedFunction kRetReturn[] = {{"kcost_bench_ret", kcost_bench_ret, true}};

constexpr const char* kProof = "hits that the program saw";

constexpr Workload probed(const char* name, const char* summary, Result<void> (*run)(Job&),
                          std::span<const ProbedFunction> probes) {
    return {.name = name,
            .summary = summary,
            .unit = "hits",
            .members_are = "threads",
            .run = run,
            .probes = probes,
            .proof = kProof};
}

}  // namespace

extern const Workload kWorkloadUprobeNop =
    probed("uprobe-nop", "hits of a uprobe on a nop", kCallNop, kNop);
extern const Workload kWorkloadUprobePush =
    probed("uprobe-push", "hits of a uprobe on an instruction that pushes", kCallPush, kPush);
extern const Workload kWorkloadUprobeRet =
    probed("uprobe-ret", "hits of a uprobe on a return", kCallRet, kRet);
extern const Workload kWorkloadUprobeMixed = probed(
    "uprobe-mixed", "hits of two uprobes in turn, on a push and on a move", kCallInTurn, kInTurn);
extern const Workload kWorkloadUretprobeNop =
    probed("uretprobe-nop", "hits of a uretprobe, its uprobe on a nop", kCallNop, kNopReturn);
extern const Workload kWorkloadUretprobePush =
    probed("uretprobe-push", "hits of a uretprobe, its uprobe on a push", kCallPush, kPushReturn);
extern const Workload kWorkloadUretprobeRet =
    probed("uretprobe-ret", "hits of a uretprobe, its uprobe on a return", kCallRet, kRetReturn);

}  // namespace kcost
