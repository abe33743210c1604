// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// Reads values out of a JSON file by path: the guest has no jq. A step of the path is a member, an
// index, NAME=VALUE (the elements of a list that have that member) or * (all of them).
#include <cstring>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using nlohmann::json;
using Matches = std::vector<const json*>;

namespace {

const char* const kUsage =
    "usage: json-get [-c|-s] FILE PATH\n"
    "PATH is /targets/name=context-switch/sites/*/calls. Prints the values found, one a line;\n"
    "-c: how many there are, or the length of the one list; -s: their sum. A / within a step\n"
    "is written ~1. Exit status 1: nothing found.\n";

std::string plain(const json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<std::string> steps_of(const std::string& path) {
    std::vector<std::string> steps;
    for (std::size_t at = 0; at < path.size();) {
        std::size_t end = path.find('/', at + 1);
        if (end == std::string::npos) end = path.size();
        std::string step = path.substr(at + 1, end - at - 1);
        for (std::size_t tilde; (tilde = step.find("~1")) != std::string::npos;) {
            step[tilde] = '/';
            step.erase(tilde + 1, 1);
        }
        steps.push_back(step);
        at = end;
    }
    return steps;
}

bool has(const json& element, const std::string& name, const std::string& value) {
    return element.is_object() && element.contains(name) && plain(element[name]) == value;
}

void follow(const json& from, const std::string& step, Matches& found) {
    if (from.is_object()) {
        if (from.contains(step)) found.push_back(&from[step]);
        return;
    }
    if (!from.is_array()) return;
    const std::size_t equals = step.find('=');
    std::size_t index = 0;
    for (const json& element : from) {
        const bool chosen = step == "*" || step == std::to_string(index++) ||
                            (equals != std::string::npos &&
                             has(element, step.substr(0, equals), step.substr(equals + 1)));
        if (chosen) found.push_back(&element);
    }
}

Matches find(const json& document, const std::string& path) {
    Matches found = {&document};
    for (const std::string& step : steps_of(path)) {
        Matches next;
        for (const json* from : found) follow(*from, step, next);
        found = next;
    }
    return found;
}

int print(const Matches& found, char mode) {
    if (mode == 'c') {
        const bool one_list = found.size() == 1 && found[0]->is_array();
        std::cout << (one_list ? found[0]->size() : found.size()) << "\n";
        return 0;
    }
    if (mode == 's') {
        std::int64_t sum = 0;
        for (const json* value : found) sum += value->is_number() ? value->get<std::int64_t>() : 0;
        std::cout << sum << "\n";
        return 0;
    }
    for (const json* value : found) std::cout << plain(*value) << "\n";
    return found.empty() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    const bool help = argc == 2 && !std::strcmp(argv[1], "--help");
    const char mode = argc == 4 && (!std::strcmp(argv[1], "-c") || !std::strcmp(argv[1], "-s"))
                          ? argv[1][1]
                          : '\0';
    if (help || (argc != 3 && !mode)) {
        (help ? std::cout : std::cerr) << kUsage;
        return help ? 0 : 2;
    }
    std::ifstream file(argv[argc - 2]);
    const json document = json::parse(file, nullptr, false);
    if (document.is_discarded()) {
        std::cerr << "json-get: " << argv[argc - 2] << " is not JSON\n";
        return 1;
    }
    return print(find(document, argv[argc - 1]), mode);
}
