"""The bench signature, one number for the behaviour of the whole core, held to `signature.txt`.

It changes only when rules, random numbers or agents do. If that is meant, write it anew and say why in the commit:

    python tests/golden/test_signature.py
"""

from pathlib import Path

from deckatlas.play.signature import signature

GOLDEN = Path(__file__).with_name("signature.txt")
COMMENT = "# The bench signature; tests/golden/test_signature.py says when it may change, and how to write it anew.\n"


def test_the_core_behaves_as_it_did() -> None:
    assert f"{COMMENT}{signature()}\n" == GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(f"{COMMENT}{signature()}\n", encoding="utf-8")
