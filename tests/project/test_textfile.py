"""Files that are no text, are not there, or come from Windows."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.base.textfile import read_source
from rulesdsl.book.yaml.file import load_yaml

FILES = [
    (b"a: \xff\n", "file-encoding", 1, 4),
    (b"a: 1\nb: \xc3(\n", "file-encoding", 2, 4),
    (b"a: \xed\xa0\x80\n", "file-encoding", 1, 4),
    ("a: é\nb: \u202e\n".encode(), "file-character", 2, 4),
    (b"a: " + b"x" * 200, "file-too-big", 1, 1),
]


@pytest.mark.parametrize(("content", "code", "line", "column"), FILES)
def test_bytes_that_are_no_text_are_refused(
    tmp_path: Path, content: bytes, code: str, line: int, column: int
) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(content)
    with pytest.raises(RulebookError) as caught:
        read_source(path, 100)
    assert [(p.code, p.span.line, p.span.column) for p in caught.value.problems] == [(code, line, column)]


def test_a_file_that_is_not_there_or_no_file_is_refused(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "none.yaml", "file-missing"), (tmp_path, "file-unreadable")):
        with pytest.raises(RulebookError) as caught:
            read_source(path, 100)
        assert [problem.code for problem in caught.value.problems] == [code]


def test_windows_files_read_like_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "below" / "x.yaml"
    path.parent.mkdir()
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    monkeypatch.chdir(tmp_path)
    source = read_source(path, 100)
    assert source.text == "a: 1\nb: 2\n"
    assert source.shown == str(Path("below/x.yaml"))
    assert load_yaml(source).value == {"a": 1, "b": 2}
