"""The levels of rules: what is inherited, what gives way, and in which order they stand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpusbot.sites.rules import (
    LEVELS,
    AppendRule,
    FieldRule,
    Level,
    ListedRule,
    Source,
    TranslateRule,
    Where,
    merged,
)


def where(level: str, line: int = 1) -> Where:
    """A line of a file at a level."""
    return Where("elpais.yaml", line, level)


def translate(to: str, tag: str, level: str, attribute: str | None = None, value: str | None = None) -> TranslateRule:
    """A rule on a tag."""
    return TranslateRule(to, Source("tag", tag, attribute=attribute, value=value), where(level))


def append(name: str, text: str, level: str) -> AppendRule:
    """An appended section."""
    return AppendRule(name, text, where(level))


def a_field(to: str, selector: str, level: str) -> FieldRule:
    """A field with one source."""
    return FieldRule(to, (Source("css", selector),), where(level))


def test_a_place_says_file_and_line() -> None:
    """The form that every message has."""
    assert str(Where("elpais.yaml", 14, "site")) == "elpais.yaml:14"


def test_rules_of_all_levels_add_up() -> None:
    """Without conflict, each level adds to the one above."""
    levels = [Level(append=(append(level, "x", level),)) for level in LEVELS]
    rules, displaced = merged(levels)
    assert [rule.name for rule in rules.append] == list(LEVELS)
    assert displaced == ()


def test_two_translates_on_one_tag() -> None:
    """The most local one wins, whatever section it goes to."""
    old, new = translate("title", "h1", "site"), translate("lead", "h1", "link")
    rules, displaced = merged([Level(translate=(old,)), Level(translate=(new,))])
    assert rules.translate == (new,)
    assert [(lost.rule, lost.by) for lost in displaced] == [(old, new)]


def test_translates_on_other_attributes_do_not_conflict() -> None:
    """META with one name is not META with another."""
    title = translate("title", "meta", "site", "name", "TITULO")
    author = translate("authors", "meta", "link", "name", "AUTOR")
    assert merged([Level(translate=(title,)), Level(translate=(author,))])[0].translate == (title, author)


def test_translates_to_one_section_add_up() -> None:
    """Two tags may both go to the body, from two levels or from one."""
    site, link = translate("body", "texto", "site"), translate("body", "div", "link")
    assert merged([Level(translate=(site,)), Level(translate=(link,))])[0].translate == (site, link)
    assert merged([Level(translate=(site, site))])[0].translate == (site, site)


def test_an_overriding_append_stands_at_its_own_place() -> None:
    """The corpus's FECHA gives way to the site's, which comes after the corpus's LINK."""
    corpus = Level(append=(append("FECHA", "a", "corpus"), append("LINK", "b", "corpus")))
    site = Level(append=(append("FECHA", "c", "site"),))
    rules, displaced = merged([corpus, site])
    assert [(rule.name, rule.text) for rule in rules.append] == [("LINK", "b"), ("FECHA", "c")]
    assert displaced[0].rule == corpus.append[0]


def test_an_overriding_field_keeps_its_place() -> None:
    """A title given anew is still read before the body."""
    site = Level(fields=(a_field("title", "h1", "site"), a_field("body", "article", "site")))
    link = Level(fields=(a_field("title", "h2", "link"), a_field("lead", "h3", "link")))
    rules = merged([site, link])[0]
    assert [(rule.to, rule.sources[0].query) for rule in rules.fields] == [
        ("title", "h2"),
        ("body", "article"),
        ("lead", "h3"),
    ]


def test_a_field_displaces_inherited_translates_of_its_section() -> None:
    """Once a site says what its title is, the corpus's rules for titles are void."""
    old, kept = translate("title", "title", "corpus"), translate("body", "p", "corpus")
    new = a_field("title", "h1", "site")
    rules, displaced = merged([Level(translate=(old, kept)), Level(fields=(new,))])
    assert (rules.translate, rules.fields) == ((kept,), (new,))
    assert [(lost.rule, lost.by) for lost in displaced] == [(old, new)]


def test_a_translate_displaces_the_inherited_field_of_its_section() -> None:
    """And the other way round; within one level both hold."""
    old, new = a_field("title", "h1", "site"), translate("title", "titulo", "index")
    assert merged([Level(fields=(old,)), Level(translate=(new,))])[0] == Level(translate=(new,))
    both = Level(fields=(old,), translate=(new,))
    assert merged([both])[0] == both


def test_what_was_displaced_may_be_given_again() -> None:
    """Three levels: field, translate, field."""
    first, second, third = a_field("body", "a", "corpus"), translate("body", "b", "site"), a_field("body", "c", "link")
    rules, displaced = merged([Level(fields=(first,)), Level(translate=(second,)), Level(fields=(third,))])
    assert rules == Level(fields=(third,))
    assert [lost.rule for lost in displaced] == [first, second]


def test_ignore_and_remove_add_up() -> None:
    """Each text once, the first place that it stands at."""
    one, two = ListedRule("p", where("corpus")), ListedRule("p", where("site", 2))
    three = ListedRule("br", where("site", 3))
    rules, _ = merged([Level(ignore=(one,), remove=(one,)), Level(ignore=(two, three), remove=(three,))])
    assert rules.ignore == (one, three)
    assert rules.remove == (one, three)


NAMES = st.sampled_from(["title", "body", "FUENTE"])
PLACES = st.sampled_from(LEVELS)
LEVEL = st.builds(
    Level,
    fields=st.lists(st.builds(a_field, NAMES, st.sampled_from("ab"), PLACES), unique_by=lambda rule: rule.to).map(
        tuple
    ),
    translate=st.lists(st.builds(translate, NAMES, st.sampled_from("ab"), PLACES), max_size=3).map(tuple),
    append=st.lists(st.builds(append, NAMES, st.text(), PLACES), unique_by=lambda rule: rule.name).map(tuple),
    ignore=st.lists(st.builds(ListedRule, NAMES, st.builds(where, PLACES)), unique_by=lambda rule: rule.text).map(
        tuple
    ),
)


@given(st.lists(LEVEL, max_size=4), st.integers(0, 4))
def test_an_empty_level_changes_nothing(levels: list[Level], place: int) -> None:
    """Wherever it stands."""
    assert merged([*levels[:place], Level(), *levels[place:]]) == merged(levels)


@given(LEVEL)
def test_one_level_is_itself(level: Level) -> None:
    """With nothing above, nothing gives way."""
    assert merged([level]) == (level, ())


@given(st.lists(LEVEL, max_size=4))
def test_every_rule_holds_or_gave_way(levels: list[Level]) -> None:
    """No rule is lost without its loss being told."""
    rules, displaced = merged(levels)
    told = [lost.rule for lost in displaced]
    for level in levels:
        assert all(rule in rules.fields or rule in told for rule in level.fields)
        assert all(rule in rules.translate or rule in told for rule in level.translate)
        assert all(rule in rules.append or rule in told for rule in level.append)
