#include "workload/metric.h"

#include <fmt/format.h>
#include <regex.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "store/json_number.h"

namespace kcost::workload {
namespace {

class Regex {
public:
    explicit Regex(const std::string& expression)
        : status_(::regcomp(&compiled_, expression.c_str(), REG_EXTENDED | REG_NEWLINE)) {}
    ~Regex() {
        if (status_ == 0) ::regfree(&compiled_);
    }
    Regex(const Regex&) = delete;
    Regex& operator=(const Regex&) = delete;

    /// Empty: it is one.
    std::string error() const {
        if (status_ == 0) return "";
        char text[200];
        ::regerror(status_, &compiled_, text, sizeof text);
        return text;
    }

    std::optional<std::string_view> last_match(std::string_view text) const {
        std::optional<std::string_view> found;
        for (std::size_t from = 0; from <= text.size();) {
            regmatch_t at[2];
            at[0].rm_so = static_cast<regoff_t>(from);
            at[0].rm_eo = static_cast<regoff_t>(text.size());
            const int flags = REG_STARTEND | (from > 0 && text[from - 1] != '\n' ? REG_NOTBOL : 0);
            if (::regexec(&compiled_, text.data(), 2, at, flags) != 0) break;
            const regmatch_t& group = at[1].rm_so >= 0 ? at[1] : at[0];
            const auto matched = text.substr(static_cast<std::size_t>(group.rm_so),
                                             static_cast<std::size_t>(group.rm_eo - group.rm_so));
            if (!found || !matched.empty()) found = matched;
            const auto end = static_cast<std::size_t>(at[0].rm_eo);
            from = end > from ? end : from + 1;  // a match of nothing would come again
        }
        return found;
    }

private:
    regex_t compiled_;
    int status_;
};

Result<double> number_of(std::string_view text) {
    const std::string_view trimmed = trim(text);
    double value = 0;
    const auto [end, error] =
        std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), value);
    if (error == std::errc() && end == trimmed.data() + trimmed.size()) return value;
    return fail("its metric is '" + escape_for_terminal(text.substr(0, 80)) +
                "', which is no number");
}

Result<double> regex_number(const std::string& expression, std::string_view output) {
    const auto match = Regex(expression).last_match(output);
    if (!match) return fail("it printed no metric: nothing matches " + expression);
    return number_of(*match);
}

Result<double> read_any(const MetricSource& source, std::string_view output,
                        std::uint64_t elapsed_ns) {
    switch (source.kind) {
        case MetricSource::Kind::kRegex:
            return regex_number(source.expression, output);
        case MetricSource::Kind::kJson:
            return json_number(output, source.expression);
        case MetricSource::Kind::kElapsed:
            break;
    }
    return static_cast<double>(elapsed_ns) / 1e9;
}

}  // namespace

Result<void> check(const MetricSource& source) {
    if (source.kind == MetricSource::Kind::kJson) return check_json_pointer(source.expression);
    if (source.kind == MetricSource::Kind::kElapsed) return {};
    const std::string error = Regex(source.expression).error();
    if (error.empty()) return {};
    return fail("'" + source.expression + "' is no regular expression: " + error,
                "an extended one of POSIX, such as 'rate: ([0-9.]+)'", ExitCode::kUsage);
}

Result<double> read_metric(const MetricSource& source, std::string_view output,
                           std::uint64_t elapsed_ns) {
    auto value = read_any(source, output, elapsed_ns);
    if (!value || (std::isfinite(*value) && *value > 0)) return value;
    return fail(fmt::format("its metric is {}, which is no number above 0", *value));
}

}  // namespace kcost::workload
