"""The card language: every mistake in a card is found before a game and named with the card's id."""

from pathlib import Path

import pytest

from deckatlas import hearthstone
from deckatlas.errors import CardError, StateError
from deckatlas.games.hearthstone.cards.codes import HeroClass
from deckatlas.games.hearthstone.cards.editions import Edition, Patch, edition, edition_of
from deckatlas.games.hearthstone.cards.language import (
    BOARD_SPACE,
    CHARACTERS,
    MINIONS,
    MY_MINIONS,
    SELF,
    TARGET,
    battlecry,
    count,
    deal,
    give,
    spell,
    target,
)
from deckatlas.games.hearthstone.cards.library import field_decks
from deckatlas.games.hearthstone.cards.parse import parse_effects
from deckatlas.games.hearthstone.cards.pools import pool
from deckatlas.games.hearthstone.cards.terms import Effects
from deckatlas.games.hearthstone.cards.texts import text_of

FIREBALL = "CS2_029"
YETI = "CS2_182"
FIERY_WAR_AXE = "CS2_106"


def changed(id: str, **change: str | int | Effects) -> Edition:
    return edition().patched(Patch("test", {id: change}))


@pytest.mark.parametrize(
    ("id", "effect", "mistake"),
    [
        (
            YETI,
            "on(turn_end(), destroy(ATTACKER))",
            "uses ATTACKER, DEALER or THAT_SPELL, but turn end does not have it",
        ),
        (
            YETI,
            "on(death(MINIONS), destroy(ATTACKER))",
            "uses ATTACKER, DEALER or THAT_SPELL, but dies does not have it",
        ),
        (YETI, "on(cast_spell(), destroy(THAT_SPELL))", "cannot destroy the source of cast spell"),
        (YETI, "on(attack(), copy_to_hand(ATTACKER))", "cannot copy to hand the source of attack"),
        (YETI, "on(turn_start(), deal(1, IT))", "uses IT, but turn start has no target"),
        (FIREBALL, "spell(deal(-3, target(CHARACTERS)))", "has a damage with a negative number"),
        (FIREBALL, "spell(heal(-3, target(CHARACTERS)))", "has a heal with a negative number"),
        (FIREBALL, "spell(deal(-count(MINIONS), target(CHARACTERS)))", "has a damage with a negative number"),
        (FIREBALL, "spell(deal(between(-1, 3), target(CHARACTERS)))", "has a damage with a negative number"),
        (FIREBALL, "spell(draw(-1))", "has a draw with a negative number"),
        (YETI, 'battlecry(summon("EX1_nobody"))', "names the unknown card 'EX1_nobody'"),
        (YETI, 'battlecry(summon(random_of("CS2_boar", "CS2_bear")))', "names the unknown card 'CS2_bear'"),
        (YETI, 'battlecry(summon("CS2_029"))', "needs a minion, but CS2_029 is a spell"),
        (YETI, 'battlecry(equip("CS2_boar"))', "needs a weapon, but CS2_boar is a minion"),
        (YETI, "battlecry(summon(any_card(MAGE)))", "would summon a card that might not be a minion"),
        (
            YETI,
            "battlecry(add_to_hand(any_card(WEAPON, MAGE)))",
            "asks for a random card of a kind that the edition lacks",
        ),
        (FIREBALL, "spell(deal(6, TARGET))", "uses TARGET where no target is chosen"),
        (FIREBALL, "spell(deal(6, OTHER_ENEMIES))", "uses TARGET where no target is chosen"),
        (FIREBALL, "spell(deal(6, target(MINIONS)), heal(2, target(HEROES)))", "chooses two different targets"),
        (
            FIREBALL,
            "spell(deal(6, target(MY_HAND)))",
            "chooses its target from something other than a set of minions or heroes",
        ),
        (FIREBALL, "spell(deal(6, target(random(MINIONS))))", "chooses its target from something other than a set"),
        (YETI, "battlecry(give(target(MY_OTHER_MINIONS), +1))", "a set with an exception"),
        (YETI, "on(turn_end(MINE), deal(1, target(MINIONS)))", "chooses a target where no target can be chosen"),
        (YETI, "deathrattle(deal(1, target(MINIONS)))", "chooses a target where no target can be chosen"),
        (
            FIREBALL,
            "spell(attach(MINIONS, deathrattle(deal(1, target(MINIONS)))))",
            "chooses a target where no target can",
        ),
        (FIREBALL, "spell(give(SELF, +1))", "uses SELF, but the card is not in play"),
        (FIREBALL, "spell(deal(1, MY_OTHER_MINIONS))", "uses SELF, but the card is not in play"),
        (FIREBALL, "spell(deal(1, IT))", "refers to an event outside on(...) and secret(...)"),
        (FIREBALL, "spell(deal(EVENT_AMOUNT, target(MINIONS)))", "uses EVENT_AMOUNT where no event has an amount"),
        (FIREBALL, "spell(redirect_attack(MY_HERO))", "can redirect attack only when attack happens"),
        (FIREBALL, "spell(counter())", "can counter only when cast spell happens"),
        (FIREBALL, "spell(deal(1, random(BYSTANDERS)))", "excludes the attacker where there is no attack"),
        (FIREBALL, 'spell(summon_around("CS2_boar", 2))', "has no minion that could summon around"),
        (FIREBALL, "spell(change_cost(LAST_DRAWN, -3))", "uses LAST_DRAWN before anything was drawn"),
        (FIREBALL, "spell(give(LAST_SUMMONED, +1))", "uses LAST_SUMMONED before anything was summoned"),
        (FIREBALL, "spell(silence(target(CHARACTERS)))", "cannot silence a hero, but its target can be one"),
        (FIREBALL, "spell(bounce(MY_HERO))", "cannot bounce that"),
        (FIREBALL, "spell(discard(MINIONS))", "cannot discard that"),
        (FIREBALL, "spell(destroy(MY_HAND))", "cannot destroy that"),
        (FIREBALL, "spell(deal(1000, MINIONS))", "has an impossible amount, 1000"),
        (FIREBALL, "spell(repeat(99, draw(1)))", "repeats 99 times"),
        (FIREBALL, "spell()", "has an effect without steps"),
        (FIREBALL, "spell(deal(1, MINIONS & BEAST & DAMAGED & ALIVE))", "uses more than two filters on one set"),
        (FIREBALL, "spell(draw(1), needs=FULL_MANA)", "needs something that cannot be a condition for playing a card"),
        (FIREBALL, "battlecry(draw(1))", "is a spell, which has no battlecry"),
        (FIREBALL, "on(turn_end(MINE), draw(1))", "is a spell, so on(...) must be secret(...)"),
        (FIREBALL, "aura(MINIONS, +1)", "is a spell with an aura"),
        (FIREBALL, "spell(draw(1)), spell(draw(2))", "has two effects of kind spell"),
        (FIREBALL, "", "is a spell without an effect"),
        (YETI, "spell(draw(1))", "is a minion, which has no spell"),
        (YETI, "secret(turn_end(MINE), draw(1))", "must be a spell to have a secret"),
        (YETI, "aura(random(MINIONS), +1)", "has an aura on something random"),
        (YETI, "costs(MINIONS, -1)", "changes the costs of cards that are not in a hand"),
        (YETI, 'choose_one("CS2_029", "EX1_154a")', "offers CS2_029, which is not declared with option(...)"),
        (YETI, 'choose_one("EX1_154a", "EX1_154b"), battlecry(draw(1))', "so it has no effect of its own"),
        (YETI, "option(draw(1))", "is an option that no choose-one card offers"),
        (YETI, 'hero("CS2_034")', "is declared as a hero but is not a hero"),
        ("CS2_034", "power(deal(1, SELF))", "uses SELF, but the card is not in play"),
        ("HERO_08", 'hero("CS2_029")', "needs a power, but CS2_029 is a spell"),
    ],
)
def test_a_mistake_in_an_effect_is_reported_with_the_card(id: str, effect: str, mistake: str) -> None:
    with pytest.raises(CardError) as error:
        changed(id, effect=effect)
    assert str(error.value).startswith(f"patch 'test': {id} ({edition()[id].name}) ")
    assert mistake in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("id", "keywords", "mistake"),
    [
        (YETI, "battlecry", "has the keyword battlecry, but no effect of that kind"),
        (YETI, "deathrattle", "has the keyword deathrattle, but no effect of that kind"),
        (YETI, "aura", "has the keyword aura, but no effect of that kind"),
        (FIREBALL, "secret", "has the keyword secret, but no effect of that kind"),
        ("CS2_189", "", "has an effect of kind battlecry, but not that keyword"),
        ("EX1_162", "", "has an effect of kind aura, but not that keyword"),
        ("EX1_287", "", "has an effect of kind secret, but not that keyword"),
        ("EX1_124", "", "has an effect of kind combo, but not that keyword"),
        ("EX1_007", "taunt", "has an effect of kind trigger, but not that keyword"),
        (YETI, "flying", "unknown keyword 'flying'"),
        (YETI, "overload", "impossible keyword 'overload'"),
        (YETI, "overload=99", "impossible keyword 'overload=99'"),
        (YETI, "taunt=2", "impossible keyword 'taunt=2'"),
    ],
)
def test_keywords_and_effects_must_agree(id: str, keywords: str, mistake: str) -> None:
    with pytest.raises(CardError, match=id) as error:
        changed(id, keywords=keywords)
    assert mistake in str(error.value)


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("spell(", "is not an expression"),
        ("x = 1", "is not an expression"),
        ("spell(deal(6, target(CHARACTERS))", "is not an expression"),
        ("1", "has something that is not an effect"),
        ("deal(6, MINIONS)", "has something that is not an effect"),
        ("spell(explode(6))", "unknown word 'explode'"),
        ("spell(deal(6, EVERYBODY))", "unknown word 'EVERYBODY'"),
        ("__import__('os')", "unknown word '__import__'"),
        ("spell.__class__", "something that is not in the language"),
        ("spell(*[draw(1)])", "something that is not in the language"),
        ("spell(**{})", "something that is not in the language: **"),
        ("[draw(1) for x in 'ab']", "something that is not in the language"),
        ("(lambda: spell(draw(1)))()", "something that is not in the language"),
        ("spell(draw(2 ** 9))", "something that is not in the language"),
        ("spell(draw(1.5))", "something that is not in the language"),
        ("spell(draw('a' * 9))", "combines values that do not fit"),
        ("spell(draw(MINIONS & 3))", "combines values that do not fit"),
        ("spell(draw(-MINIONS))", "combines values that do not fit"),
        ("spell(deal(6))", "wrong use of deal"),
        ("spell(deal(6, MINIONS, power=3))", "wrong use of deal"),
        ("spell(give(MINIONS, 1, 2, 3))", "wrong use of give"),
        ("aura(MINIONS, +1, THIS_TURN)", "wrong use of aura"),
        ("spell(deal(TAUNT, 3))", "wrong selector: 3"),
        ("spell(draw(count(3)))", "wrong selector: 3"),
        ("on(3, draw(1))", "wrong happening: 3"),
        ("spell(when(3, draw(1)))", "wrong condition: 3"),
        ("spell(MINIONS)", "the wrong steps: MINIONS"),
        ("spell(draw(1), draw)", "the wrong steps: draw without its brackets"),
        ("on(death, draw(1))", "the wrong happening: death without its brackets"),
        ("spell(drw(1))", "the unknown word 'drw': did you mean 'draw'?"),
        ("spell(deal(3, target(minions)))", "the unknown word 'minions': did you mean 'MINIONS'?"),
        ("spell(deal(3))", "a wrong use of deal, which is written deal(amount, to, "),
        ("spell(MINE(3))", "MINE has brackets, but takes nothing"),
        ("hero(3)", "wrong power: 3"),
        ("spell(draw(True))", "wrong amount: True"),
        ("~" * 9_000 + "spell", "is not an expression"),
        ("~" * 100_000 + "spell", "has an effect of more than 10,000 characters"),
    ],
)
def test_text_that_is_not_of_the_language_is_refused(text: str, mistake: str) -> None:
    with pytest.raises(CardError) as error:
        parse_effects(text)
    assert mistake in str(error.value)
    assert len(str(error.value)) < 400


def test_text_means_what_the_same_python_means() -> None:
    text = "spell(deal(2 * count(MY_MINIONS) + 1, target(CHARACTERS)), needs=BOARD_SPACE)"
    assert parse_effects(text) == (spell(deal(2 * count(MY_MINIONS) + 1, target(CHARACTERS)), needs=BOARD_SPACE),)


# ---- patches -------------------------------------------------------------------------------------------------------


def test_two_cards_have_no_keyword_that_counts_twice() -> None:
    with pytest.raises(CardError, match="has the keyword overload twice"):
        changed(YETI, keywords="overload=1 overload=2")


def test_tokens_may_share_a_name_with_a_card() -> None:
    boar = edition()["CS2_boar"].name
    assert changed(YETI, name=boar)[boar].id == YETI


def test_a_patch_makes_a_new_edition_and_leaves_the_old_one() -> None:
    base = edition()
    before = list(base.compiled.tables["cards"])
    patched = base.patched(Patch("dear yetis", {YETI: {"cost": 7, "attack": 1}}))
    assert (patched.name, patched[YETI].cost, patched[YETI].attack, patched[YETI].health) == ("dear yetis", 7, 1, 5)
    assert base[YETI].cost == 4
    assert base.compiled.tables["cards"] == before
    assert patched.compiled.tables["cards"][patched.compiled.index[YETI]][8] == 7


def test_a_patch_in_toml_changes_numbers_and_effects_and_brings_new_cards() -> None:
    patch = Patch.from_toml(
        """
        name = "test"
        rules = ["poisonous-kills-heroes"]

        [cards.CS2_182]
        cost = 5
        race = "beast"
        keywords = "taunt"

        [cards."Fiery War Axe"]
        durability = 3

        [cards.CS2_189]
        effect = "deathrattle(draw(2))"

        [new.TEST_1]
        name = "Two Yetis"
        class = "mage"
        type = "spell"
        rarity = "rare"
        set = "classic"
        cost = 8
        effect = 'spell(summon("CS2_182", 2), needs=BOARD_SPACE)'
        """
    )
    patched = edition().patched(patch)
    assert text_of(patched[YETI], patched) == "Taunt."
    assert patched[FIERY_WAR_AXE].health == 3
    assert patched["CS2_189"].keywords == ("deathrattle",)
    assert patched["Two Yetis"] in pool(patched, "mage")
    assert patched["Two Yetis"] not in pool(patched, "rogue")
    assert text_of(patched["TEST_1"], patched) == "Summon two 4/5 Chillwind Yetis with Taunt."
    assert int(patched.rules) == 1


def test_the_patch_in_the_document_is_one() -> None:
    document = (Path(__file__).parents[3] / "docs" / "cards.md").read_text(encoding="utf-8")
    patched = edition().patched(Patch.from_toml(document.split("```toml\n")[1].split("```")[0]))
    assert patched["Yeti Caller"].keywords == ("battlecry", "trigger")
    assert patched["Arcane Golem"].keywords == ("charge", "battlecry")


def test_a_patch_in_python_takes_expressions() -> None:
    patched = changed(YETI, effect=battlecry(deal(1, target(MINIONS)), give(TARGET, +2), give(SELF, +1)))
    assert text_of(patched[YETI], patched) == "Battlecry: Deal 1 damage to a minion. Give it +2 Attack. Gain +1 Attack."


@pytest.mark.parametrize(
    ("toml", "mistake"),
    [
        ("name = 'x'\n[cards.EX1_999]\ncost = 1", "patch 'x': edition '2018-12' has no card 'EX1_999': did you mean"),
        ("name = 'x'\n[cards.'Chilwind Yeti']\ncost = 1", "no card 'Chilwind Yeti': did you mean 'Chillwind Yeti'?"),
        (
            "name = 'x'\n[cards.CS2_182]\ncost = 1\n[cards.'Chillwind Yeti']\nattack = 1",
            "CS2_182 (Chillwind Yeti) is changed twice, as 'CS2_182' and as 'Chillwind Yeti'",
        ),
        ("name = 'x'\n[cards.CS2_106]\nhealth = 1\ndurability = 3", "(Fiery War Axe) is given durability twice"),
        ("name = '2018-12'\n[cards.CS2_182]\ncost = 1", "patch '2018-12': an edition already has this name"),
        ("name = 'sabberstone'\n[cards.CS2_182]\ncost = 1", "patch 'sabberstone': an edition already has this name"),
        ("name = 'x'\n[cards.CS2_182]\ntype = ''", "has the unknown type 'none'"),
        ("name = 'x'\n[cards.CS2_182]\ntype = 'none'", "has the unknown type 'none'"),
        (
            "name = 'x'\n[cards.CS2_182]\nkeywords = 'taunt charge taunt'",
            "(Chillwind Yeti) has the keyword taunt twice",
        ),
        ("name = 'x'\n[cards.CS2_182]\nname = 'fireball'", "CS2_029 (Fireball) has the same name as CS2_182"),
        ("name = 'x'\n[cards.CS2_182]\ncost = -1", "CS2_182 (Chillwind Yeti) costs -1"),
        ("name = 'x'\n[cards.CS2_182]\ncost = 99", "CS2_182 (Chillwind Yeti) costs 99"),
        ("name = 'x'\n[cards.CS2_182]\nhealth = 0", "CS2_182 (Chillwind Yeti) has 0 health"),
        ("name = 'x'\n[cards.CS2_106]\ndurability = 0", "CS2_106 (Fiery War Axe) has 0 durability"),
        ("name = 'x'\n[cards.CS2_029]\nattack = 3", "CS2_029 (Fireball) has 3 attack"),
        ("name = 'x'\n[cards.CS2_182]\ncost = '4'", "needs a whole number, not '4'"),
        ("name = 'x'\n[cards.CS2_182]\ncost = 4.5", "needs a whole number, not 4.5"),
        ("name = 'x'\n[cards.CS2_182]\ncost = true", "needs a whole number, not True"),
        ("name = 'x'\n[cards.CS2_182]\nrace = 'yeti'", "has the unknown race 'yeti'"),
        ("name = 'x'\n[cards.CS2_182]\nclass = 'bard'", "has the unknown class 'bard'"),
        ("name = 'x'\n[cards.CS2_182]\nset = 'future'", "has the unknown set 'future'"),
        ("name = 'x'\n[cards.CS2_182]\nrarity = 'odd'", "has the unknown rarity 'odd'"),
        ("name = 'x'\n[cards.CS2_182]\nmana = 4", "CS2_182 has no field 'mana': known: attack"),
        ("name = 'x'\n[cards.CS2_182]\ncosts = 4", "CS2_182 has no field 'costs': did you mean 'cost'?"),
        ("name = 'x'\n[cards.CS2_182]\neffect = 3", "has something that is not an effect"),
        ("name = 'x'\n[new.CS2_182]\nname = 'x'", "CS2_182 is not new: it is the id of Chillwind Yeti"),
        ("name = 'x'\n[new.A]\nname = 'x'\nclass = 'mage'\nset = 'classic'", "A is new, so it needs a type"),
        ("name = 'x'\nrules = ['chaos']", "unknown rule 'chaos'"),
        ("name = 'x'\nrules = 'chaos'", "must be a list of names"),
        ("name = 'x'\ncards = 3", "must have one table per card"),
        ("name = 'x'\n[cards]\nCS2_182 = 3", "must have one table per card"),
        ("name = 'x'\n[card.CS2_182]\ncost = 3", "not 'card'"),
        ("[cards.CS2_182]\ncost = 3", "a patch needs a name"),
        ("name = ", "the patch is not TOML"),
    ],
)
def test_an_impossible_patch_is_refused_with_the_reason(toml: str, mistake: str) -> None:
    with pytest.raises(CardError) as error:
        edition().patched(Patch.from_toml(toml))
    assert mistake in str(error.value)


def test_a_file_with_a_patch_is_an_edition(tmp_path: Path) -> None:
    file = tmp_path / "cheap.toml"
    file.write_text("name = 'cheap'\n[cards.CS2_182]\ncost = 1\n", encoding="utf-8")
    assert (edition_of(file).name, edition_of(str(file))["Chillwind Yeti"].cost) == ("cheap", 1)
    file.write_text("name = 'cheap'\nbase = '2019-12'\n[cards.CS2_182]\ncost = 1\n", encoding="utf-8")
    assert edition_of(file)["Cold Blood"].cost == edition("2019-12")["Cold Blood"].cost == 2


@pytest.mark.parametrize(
    ("content", "mistake"),
    [
        (b"name = ", "mine.toml: the patch is not TOML"),
        (b"name = '\xff'", "mine.toml, line 1: not UTF-8 text"),
        (b"name = 'x'\nbase = '2017'", "mine.toml: unknown edition '2017'"),
        (b"name = 'x'\nbase = 3", "mine.toml: unknown edition 3"),
        (b"name = 'x'\n[cards.CS2_182]\ncost = 99", "mine.toml: patch 'x': CS2_182 (Chillwind Yeti) costs 99"),
        (None, "mine.toml: No such file or directory"),
    ],
)
def test_a_file_that_makes_no_edition_is_refused_with_its_name(
    content: bytes | None, mistake: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CardError) as error:
        edition_of(file)
    assert mistake in str(error.value)
    assert str(error.value).isprintable()


def test_a_state_text_cannot_name_a_file(tmp_path: Path) -> None:
    file = tmp_path / "cheap.toml"
    file.write_text("name = 'cheap'\n[cards.CS2_182]\ncost = 1\n", encoding="utf-8")
    text = hearthstone.new_game("Starter Mage", "Starter Mage").to_text()
    with pytest.raises(StateError, match="unknown edition"):
        hearthstone.read_state(text.replace("edition=2018-12", f"edition={file}"))


def test_editions_are_known_by_name() -> None:
    assert edition() is edition("2018-12")
    with pytest.raises(CardError, match="unknown edition '2014': known: 2018-12, 2019-12, classic-2014, sabberstone"):
        edition("2014")


@pytest.mark.parametrize(
    ("name", "collectible", "hall_of_fame"),
    [("2018-12", 373, 13), ("2019-12", 378, 24), ("classic-2014", 382, 0), ("sabberstone", 378, 24)],
)
def test_editions_have_all_their_cards(name: str, collectible: int, hall_of_fame: int) -> None:
    sets = [card.set for card in edition(name).cards if card.collectible]
    assert sum(one in ("basic", "classic") for one in sets) == collectible
    assert sets.count("hall-of-fame") == hall_of_fame


# ---- pools ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition_name", "name", "hero_class", "size"),
    [
        ("2018-12", "basic-classic", "hunter", 173),
        ("2019-12", "basic-classic", "hunter", 178),
        ("classic-2014", "basic-classic", "hunter", 182),
        ("classic-2014", "basic-classic", "mage", 182),
        ("2018-12", "evosabber", "hunter", 172),
        ("2018-12", "evosabber", "paladin", 172),
        ("2018-12", "evosabber", "warlock", 171),
        ("2018-12", "evosabber", "rogue", 171),
        ("2018-12", "evosabber", "mage", 170),
        ("2019-12", "evostone", "paladin", 178),
        ("sabberstone", "evostone", "rogue", 180),
        ("2019-12", "evostone", "druid", 169),
    ],
)
def test_pools_have_the_published_sizes(edition_name: str, name: str, hero_class: str, size: int) -> None:
    cards = pool(edition(edition_name), hero_class, name)
    assert len(cards) == len({card.id for card in cards}) == size
    assert {card.hero_class.name for card in cards} == {"neutral", hero_class}


def test_the_cards_added_for_rogues_come_last() -> None:
    names = [card.name for card in pool(edition("2019-12"), "rogue", "evostone")]
    assert names[-2:] == ["Azure Drake", "Conceal"]
    assert names[0] == "Goldshire Footman"


def test_the_pool_of_all_cards_has_the_cards_of_every_list_that_people_played() -> None:
    for named in field_decks():
        ids = {card.id for card in pool(edition(), named.deck.hero_class, "all")}
        assert {card for card, _ in named.deck.cards} <= ids, named.name


def test_unknown_pools_and_classes_are_refused() -> None:
    with pytest.raises(CardError, match="unknown pool 'everything': known: all, basic-classic, evosabber, evostone"):
        pool(edition(), "mage", "everything")
    for name in ("bard", "neutral"):
        with pytest.raises(CardError, match=f"unknown hero class '{name}': known: DRUID, HUNTER"):
            pool(edition(), name)
    with pytest.raises(CardError, match="unknown edition '2017'"):
        pool("2017", "mage")


def test_a_pool_takes_the_name_of_an_edition_and_a_class_in_any_case() -> None:
    assert pool("2019-12", "ROGUE", "evostone") == pool(edition("2019-12"), HeroClass.rogue, "evostone")


# ---- texts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("CS2_182", ""),
        ("EX1_032", "Taunt. Divine Shield."),
        ("CS2_189", "Battlecry: Deal 1 damage."),
        ("CS2_024", "Deal 3 damage to a character. Freeze it."),
        ("EX1_238", "Deal 3 damage. Overload: (1)."),
        ("EX1_531", "Whenever another friendly Beast dies, gain +2/+1."),
        ("EX1_162", "Adjacent minions have +1 Attack."),
        ("EX1_414", "Charge. Has +6 Attack while damaged."),
        ("EX1_534", "Deathrattle: Summon two 2/2 Hyenas."),
        ("EX1_154", "Choose One - Deal 3 damage to a minion; or Deal 1 damage to a minion. Draw a card."),
        ("EX1_124", "Deal 2 damage. Combo instead: Deal 4 damage."),
        ("EX1_594", "Secret: When an enemy minion attacks your hero, destroy it."),
        ("EX1_303", "Deal damage equal to the Attack of a friendly minion to all enemy minions. Destroy it."),
        ("CS2_038", "Give a minion “Deathrattle: Summon a fresh copy of it.”"),
        ("EX1_608", "Your spells cost (1) less."),
        ("EX1_586", "Costs (1) less for each minion."),
        ("EX1_349", "Draw cards equal to how many more cards your opponent holds."),
        ("EX1_182", "Add a random card of your opponent's class to your hand."),
        ("EX1_384", "Deal 8 damage randomly split among all enemies."),
    ],
)
def test_a_text_says_what_the_card_does(id: str, text: str) -> None:
    assert text_of(edition()[id], edition()) == text


def test_a_text_is_asked_for_by_name() -> None:
    assert hearthstone.text_of("Frostbolt") == text_of(edition()["CS2_024"], edition())
    assert hearthstone.text_of("CS2_073", "2019-12") == text_of("Cold Blood", edition("2019-12"))
    with pytest.raises(CardError, match=r"has no card 'Frostbot': did you mean 'Frostbolt'\?"):
        hearthstone.text_of("Frostbot")


def test_every_card_has_a_text_in_whole_sentences() -> None:
    for name in ("2018-12", "sabberstone"):
        for card in edition(name).cards:
            text = text_of(card, edition(name))
            assert not text or text.endswith((".", ".”", "!")), card.id
            assert bool(text) == bool(card.effects or card.keywords), card.id
            assert "  " not in text
