// The extension module `deckatlas._core`: one submodule per game and per concern, and the translation of errors to
// Python.
#include <nanobind/nanobind.h>

#include "agents/options.hpp"
#include "errors.hpp"

namespace nb = nanobind;

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

namespace {

void raise_in_python(const BorderError& error) {
    const nb::object type = nb::module_::import_("deckatlas.errors").attr(error.type);
    PyErr_SetString(type.ptr(), error.what());
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
}
