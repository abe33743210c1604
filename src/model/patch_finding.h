// What a kernel's text and types say about a patch, with the instructions that say so. Passive.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/patch.h"

namespace kcost::model {

enum class Evidence { kPresent, kAbsent, kSuperseded, kCannotTell };

/// "present", "absent", "superseded", "cannot tell".
const char* to_string(Evidence evidence);

struct ShownInstruction {
    std::uint64_t address = 0;
    std::uint32_t word = 0;
    std::string place;  ///< "arch_uprobe_copy_ixol+0x74"
    std::string text;   ///< disassembled, with the symbol that it refers to
};

/// One fact of the signature, looked up.
struct FactFinding {
    enum class Value { kNo, kYes, kUnknown };
    std::string name;
    std::string claim;  ///< what was looked for, in words
    std::string where;  ///< function, or "types"; empty: nowhere
    Value value = Value::kUnknown;
    std::string reason;  ///< of an unknown one
    std::string remedy;  ///< of an unknown one; may be empty
    std::vector<ShownInstruction> instructions;
};

struct PatchFinding {
    Evidence evidence = Evidence::kCannotTell;
    std::string form;  ///< what it has instead, or which kind: "kmalloc per hit"; may be empty
    std::string why;   ///< the sentence that the facts prove, or why nothing can be told
    std::string remedy;
    std::vector<FactFinding> facts;  ///< of the rules that hold; all where nothing can be told
};

/// The kernel that was asked.
struct AskedKernel {
    std::string image;    ///< its file; empty: it runs
    std::string release;  ///< empty: not known
};

/// All that is told of one patch on one machine.
struct PatchReport {
    Patch patch;
    PatchFinding finding;
    std::vector<std::string> moot_here;        ///< because …
    std::vector<std::string> worth_more_here;  ///< because …
};

}  // namespace kcost::model
