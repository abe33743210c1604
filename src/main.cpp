// Parses the command line, runs the subcommand, prints the one error, exits with its code.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>

#include "base/log.h"
#include "base/text.h"
#include "cli/command_table.h"
#include "cli/command_words.h"

namespace {

using namespace kcost;

int print_error(const Error& error) {
    std::fprintf(stderr, "kcost: %s\n", escape_for_terminal(error.what).c_str());
    if (!error.hint.empty()) {
        std::fprintf(stderr, "  try: %s\n", escape_for_terminal(error.hint).c_str());
    }
    return static_cast<int>(error.code);
}

// CLI11 would only say that a subcommand is missing.
bool is_unknown(const CLI::App& app, const std::string& word) {
    if (word.rfind("--", 0) == 0) return !app.get_option_no_throw(word);
    if (word.empty() || word[0] == '-') return false;
    for (const Command* command : command_table()) {
        if (word == command->name) return false;
    }
    return true;
}

int run(int argc, char** argv) {
    CLI::App app("What the hot paths of a live arm64 Linux kernel cost, and who pays for them.",
                 "kcost");
    app.set_version_flag("--version", "kcost " KCOST_VERSION);
    app.require_subcommand(1);
    app.fallthrough(false);
    bool verbose = false;
    app.add_flag("-v,--verbose", verbose, "Say what is done and tried");
    std::function<Result<int>()> chosen;
    for (const Command* command : command_table()) {
        CLI::App* sub = app.add_subcommand(command->name, command->summary);
        auto action = command->set_up(*sub);
        sub->callback([&chosen, action] { chosen = action; });
    }
    if (argc > 1 && is_unknown(app, argv[1])) {
        return print_error({std::string("there is no command or option ") + argv[1], "kcost --help",
                            ExitCode::kUsage});
    }
    try {
        std::vector<std::string> words = words_for_parser({argv + 1, argv + argc});
        std::reverse(words.begin(), words.end());  // as it takes them
        app.parse(std::move(words));
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        app.exit(error);
        return static_cast<int>(ExitCode::kUsage);
    }
    if (verbose) log::set_level(log::Level::kDebug);
    auto code = chosen();
    return code ? *code : print_error(code.error());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& exception) {
        return print_error({std::string("an unforeseen failure: ") + exception.what(), ""});
    }
}
