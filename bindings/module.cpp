// The extension module `deckatlas._core`: one submodule per game and per concern, and the translation of errors to
// Python.
#include <nanobind/nanobind.h>

#include "agents/options.hpp"
#include "errors.hpp"
#include "without_gil.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
void bind_network(nb::module_& module);
void bind_numeric(nb::module_& module);
void bind_locm_cards(nb::module_& module);
void bind_locm_state(nb::module_& module);
void bind_locm_agents(nb::module_& module);
void bind_locm_play(nb::module_& module);
void bind_locm_courses(nb::module_& module);
void bind_hearthstone_state(nb::module_& module);
void bind_hearthstone_agents(nb::module_& module);
void bind_hearthstone_play(nb::module_& module);
void bind_hearthstone_evaluation(nb::module_& module);
void bind_hearthstone_features(nb::module_& module);
void bind_hearthstone_network(nb::module_& module);
void bind_hearthstone_positions(nb::module_& module);
void bind_learning_trainer(nb::module_& module);
void bind_surrogate_trainer(nb::module_& module);
void bind_surrogate_model(nb::module_& module);
void bind_surrogate_map(nb::module_& module);
void bind_patterns(nb::module_& module);
#ifdef DECKATLAS_COVERAGE
void bind_coverage(nb::module_& module);
#endif

namespace {

void raise_in_python(const BorderError& error) {
    const nb::object type = nb::module_::import_("deckatlas.errors").attr(error.type);
    PyErr_SetString(type.ptr(), error.what());
}

// Python calls these when it ends, before it ends its threads, and in the child of a fork.
void watch_the_interpreter() {
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] { Leaving::instance().leave_python(); }));
    const nb::module_ os = nb::module_::import_("os");
    if (nb::hasattr(os, "register_at_fork")) {
        const nb::object forget = nb::cpp_function([] { Leaving::instance().forget_other_threads(); });
        os.attr("register_at_fork")("after_in_child"_a = forget);
    }
}

}  // namespace
}  // namespace deckatlas::bindings

NB_MODULE(_core, module) {
    using namespace deckatlas::bindings;
    module.doc() = "The C++ core: rules, agents and runners.";
    // When the interpreter ends, caches of card sets, and libraries that keep classes out of its sight, may still hold
    // some of our objects. That is not a leak, and not worth warnings at the end of a program.
    nb::set_leak_warnings(false);
    nb::register_exception_translator(
        [](const std::exception_ptr& pointer, void*) {
            try {
                std::rethrow_exception(pointer);
            } catch (const BorderError& error) {
                raise_in_python(error);
            } catch (const deckatlas::OptionError& error) {
                raise_in_python(AgentError(error.what()));
            }
        },
        nullptr);
    module.attr("build_flags") = DECKATLAS_BUILD_FLAGS;
    watch_the_interpreter();

    bind_network(module);
    nb::module_ numeric = module.def_submodule("numeric", "Functions with the same bits on every machine.");
    bind_numeric(numeric);
    nb::module_ locm = module.def_submodule("locm", "Legends of Code and Magic 1.2.");
    bind_locm_cards(locm);
    bind_locm_state(locm);
    bind_locm_agents(locm);
    bind_locm_play(locm);
    bind_locm_courses(locm);
    nb::module_ hearthstone = module.def_submodule("hearthstone", "Hearthstone, Basic and Classic.");
    bind_hearthstone_state(hearthstone);
    bind_hearthstone_agents(hearthstone);
    bind_hearthstone_play(hearthstone);
    bind_hearthstone_evaluation(hearthstone);
    bind_hearthstone_features(hearthstone);
    bind_hearthstone_network(hearthstone);
    bind_hearthstone_positions(hearthstone);
    nb::module_ learning = module.def_submodule("learning", "Models that learn from the positions of games.");
    bind_learning_trainer(learning);
    nb::module_ surrogate =
        module.def_submodule("surrogate", "Models that learn from evaluations, and searches on them.");
    bind_surrogate_trainer(surrogate);
    bind_surrogate_model(surrogate);
    bind_surrogate_map(surrogate);
    nb::module_ patterns = module.def_submodule("patterns", "Sets of cards that many decks share.");
    bind_patterns(patterns);
#ifdef DECKATLAS_COVERAGE
    nb::module_ coverage = module.def_submodule("coverage", "What fuzzing has reached.");
    bind_coverage(coverage);
#endif
}
