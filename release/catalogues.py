"""wfnb.pot -> its texts in each language's wfnb.po; each .po -> the .json for JupyterLab.

    make words                    after a change of a text
    make words LANGUAGE=de_DE     begins that language

What a language lacks is empty in its .po until somebody translates it, and English on the screen.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

LOCALE = Path(__file__).parents[1] / "wfnb" / "locale"
TEMPLATE = LOCALE / "wfnb.pot"


def main() -> None:
    template = read(TEMPLATE)
    begun = [LOCALE / language / "LC_MESSAGES" / "wfnb.po" for language in sys.argv[1:]]
    for path in sorted({*translations(), *begun}):
        path.parent.mkdir(parents=True, exist_ok=True)
        text = as_po(read(path) if path.exists() else Catalog(language(path)), template)
        path.write_text(text, "utf-8")
        path.with_suffix(".json").write_text(as_json(read(path), language(path)), "utf-8")


def translations() -> list[Path]:
    return sorted(LOCALE.glob("*/LC_MESSAGES/wfnb.po"))


def language(path: Path) -> str:
    return path.parts[-3]


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=None if path == TEMPLATE else language(path))


def as_po(known: Catalog, template: Catalog) -> str:
    """The texts of the template in its order, each as it is known."""
    return "\n".join(("".join(_head(known)), *map("".join, _entries(known, template))))


def as_json(catalog: Catalog, language: str) -> str:
    """Each text with its forms. Of a text with a plural JupyterLab takes none where there is one
    alone, even in a language that needs no other: so there are two."""
    head = {
        "domain": "wfnb",
        "language": language.replace("_", "-"),
        "plural_forms": catalog.plural_forms,
    }
    found: dict[str, object] = {"": head}
    for message in catalog:
        if message.id and all(forms := _forms(message)):
            plural = not isinstance(message.id, str)
            found[_text(message)] = [*forms, ""] if plural and len(forms) == 1 else forms
    lines = (f"{_quoted(text)}: {_quoted(forms)}" for text, forms in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _head(known: Catalog) -> Iterator[str]:
    yield f"{known.header_comment}\n"
    yield 'msgid ""\nmsgstr ""\n'
    yield f'"Language: {known.locale_identifier}\\n"\n'
    yield f'"Plural-Forms: {known.plural_forms}\\n"\n'
    yield '"Content-Type: text/plain; charset=utf-8\\n"\n'
    yield '"Content-Transfer-Encoding: 8bit\\n"\n'


def _entries(known: Catalog, template: Catalog) -> Iterator[Iterator[str]]:
    for message in template:
        if message.id:
            yield _entry(message, known.get(message.id), known.num_plurals)


def _entry(message: Message, known: Message | None, plurals: int) -> Iterator[str]:
    files = " ".join(file for file, _ in message.locations)
    yield f"#: {files}\n"
    if isinstance(message.id, str):
        said = known.string if known else ""
        yield f"msgid {_quoted(message.id)}\nmsgstr {_quoted(said)}\n"
        return
    one, many = message.id
    yield f"msgid {_quoted(one)}\nmsgid_plural {_quoted(many)}\n"
    forms = _forms(known) if known else []
    for place in range(plurals):
        said = forms[place] if place < len(forms) else ""
        yield f"msgstr[{place}] {_quoted(said)}\n"


def _text(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string)


def _quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
