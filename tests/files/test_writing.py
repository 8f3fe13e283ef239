"""The writer: a file is replaced whole or stays as it was, and nothing else is left in its folder."""

import errno
import os
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from deckatlas.errors import DeckatlasError, RunError
from deckatlas.files import writing
from deckatlas.files.writing import append_line, check_writable, make_folder, write_bytes, write_text


@pytest.fixture(params=["nameless", "named"])
def _either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """New files without a name, as on Linux, and with one, as elsewhere."""
    if request.param == "named":
        monkeypatch.setattr(writing, "_OPEN_FILES", "/nowhere")


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.usefixtures("_either_way")
def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    for text in ("one", "another", ""):
        write_text(file, text)
        assert file.read_text() == text
        assert names_in(tmp_path) == ["page.html"]


@pytest.mark.usefixtures("_either_way")
@pytest.mark.parametrize("fails", ["write", "fsync", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    fails: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "page.html"
    write_text(file, "good")

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, fails, fail)
    with pytest.raises(RunError, match=r"^cannot write .*page\.html: No space left on device$"):
        write_text(file, "new", error=RunError)
    monkeypatch.undo()
    assert (file.read_text(), names_in(tmp_path)) == ("good", ["page.html"])


@pytest.mark.usefixtures("_either_way")
def test_an_interruption_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "page.html"
    write_text(file, "good")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(file, "new")
    monkeypatch.undo()
    assert (file.read_text(), names_in(tmp_path)) == ("good", ["page.html"])


def test_a_file_that_is_written_in_pieces_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, content: write(descriptor, content[:7]))
    write_bytes(tmp_path / "file", bytes(range(256)))
    assert (tmp_path / "file").read_bytes() == bytes(range(256))


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system has no files without a name")
def test_a_process_that_is_killed_while_it_writes_leaves_nothing_behind(tmp_path: Path) -> None:
    program = f"""
        import os, signal
        from deckatlas.files.writing import write_text
        write_text({str(tmp_path / "page.html")!r}, "good")
        os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
        write_text({str(tmp_path / "page.html")!r}, "new")
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert ((tmp_path / "page.html").read_text(), names_in(tmp_path)) == ("good", ["page.html"])


@pytest.mark.usefixtures("_either_way")
def test_the_next_writer_removes_what_a_killed_one_left_but_not_what_a_living_one_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "page [1].html"
    program = f"""
        import os, signal
        from deckatlas.files.writing import write_text
        os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        write_text({str(file)!r}, "new")
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False)
    (left,) = names_in(tmp_path)
    assert left.endswith(".partial")
    others = [".page [2].html.00000000.partial", ".page [1].html.mine.partial"]
    for name in others:
        (tmp_path / name).write_text("of another file")
    replace = os.replace

    def write_again(partial: Path, path: Path) -> None:
        """A second writer, while the first one is about to finish."""
        monkeypatch.setattr(os, "replace", replace)
        write_text(file, "second")
        assert Path(partial).exists()
        replace(partial, path)

    monkeypatch.setattr(os, "replace", write_again)
    write_text(file, "first")
    assert (file.read_text(), names_in(tmp_path)) == ("first", sorted([*others, file.name]))


@pytest.mark.usefixtures("_either_way")
def test_a_link_is_followed_and_permissions_are_kept(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    file, link = tmp_path / "real" / "file", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_text(link, "new")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode), link.is_symlink()) == ("new", 0o640, True)


def test_a_new_file_has_the_permissions_that_the_user_wants(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "file", "")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


def test_devices_and_pipes_are_written_to(tmp_path: Path) -> None:
    write_text("/dev/null", "nothing")
    assert Path("/dev/null").is_char_device()
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_text(tmp_path / "pipe", "through")
    assert (os.read(reader, 100), stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)) == (b"through", True)
    os.close(reader)


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
@pytest.mark.parametrize("into", ["a pipe", "a file"])
def test_standard_output_gets_everything_in_order(name: str, into: str, tmp_path: Path) -> None:
    program = f"""
        from deckatlas.files.writing import write_bytes, write_text
        print("before")
        write_text({name!r}, "text\\n")
        write_bytes({name!r}, b"bytes\\n")
        print("after")
    """
    words = [sys.executable, "-c", textwrap.dedent(program)]
    if into == "a pipe":
        found = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    else:
        with (tmp_path / "out").open("w") as file:
            subprocess.run(words, check=True, stdout=file)
        found = (tmp_path / "out").read_text()
    assert found == "before\ntext\nbytes\nafter\n"


@pytest.mark.parametrize(
    ("name", "why"),
    [("none/file", "No such file or directory"), (".", "Is a directory"), ("a\0b", "no file can have such a name")],
)
def test_what_cannot_be_written_is_one_line(name: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(DeckatlasError, match=rf"^cannot write .*: {why}$"):
        write_text(f"{tmp_path}/{name}", "")
    with pytest.raises(DeckatlasError, match=rf"^cannot write .*: {why}$"):
        check_writable(Path(f"{tmp_path}/{name}"))


def test_checking_that_a_file_can_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    check_writable(tmp_path / "old", tmp_path / "new", None, Path("-"), Path("/dev/null"))
    assert (names_in(tmp_path), (tmp_path / "old").read_text()) == (["old"], "old")


def test_a_line_is_added_after_a_partial_one(tmp_path: Path) -> None:
    log = tmp_path / "folder" / "log"
    append_line(log, "one")
    with log.open("a") as file:
        file.write("cut of")
    append_line(log, "two")
    assert log.read_text() == "one\ncut of\ntwo\n"


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot write"):
        make_folder(tmp_path / "file" / "folder", error=RunError)
