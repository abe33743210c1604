// How kcost reports failure: a value or an Error, never an exception across a function of ours.
// Not for assertions: those are for our own mistakes.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace kcost {

/// Exit codes of the process, documented in docs/kcost.1.
enum class ExitCode : int {
    kDone = 0,
    kFailed = 1,
    kUsage = 2,
    kCannotHere = 3,  ///< this kernel or these rights cannot do it
    kInterrupted = 130,
};

struct Error {
    std::string what;  ///< "cannot VERB OBJECT: CAUSE"
    std::string hint;  ///< the command or setting that mends it; may be empty
    ExitCode code = ExitCode::kFailed;
};

template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
public:
    using tl::expected<T, Error>::expected;
};

inline tl::unexpected<Error> fail(std::string what, std::string hint = "",
                                  ExitCode code = ExitCode::kFailed) {
    return tl::unexpected<Error>(Error{std::move(what), std::move(hint), code});
}

}  // namespace kcost
