// Errors at the border between Python and the core, raised in Python as the classes of `deckatlas.errors`.
#pragma once

#include <stdexcept>
#include <string>

namespace deckatlas::bindings {

struct BorderError : std::runtime_error {
    BorderError(const char* class_name, const std::string& message) : std::runtime_error(message), type(class_name) {}
    const char* type;  // name of the class in deckatlas.errors
};

struct CardError : BorderError {
    explicit CardError(const std::string& message) : BorderError("CardError", message) {}
};
struct DeckError : BorderError {
    explicit DeckError(const std::string& message) : BorderError("DeckError", message) {}
};
struct StateError : BorderError {
    explicit StateError(const std::string& message) : BorderError("StateError", message) {}
};
struct IllegalActionError : BorderError {
    explicit IllegalActionError(const std::string& message) : BorderError("IllegalActionError", message) {}
};
struct AgentError : BorderError {
    explicit AgentError(const std::string& message) : BorderError("AgentError", message) {}
};
struct MatchError : BorderError {
    explicit MatchError(const std::string& message) : BorderError("MatchError", message) {}
};
struct SearchError : BorderError {
    explicit SearchError(const std::string& message) : BorderError("SearchError", message) {}
};
struct ModelError : BorderError {
    explicit ModelError(const std::string& message) : BorderError("ModelError", message) {}
};

}  // namespace deckatlas::bindings
