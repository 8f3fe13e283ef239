"""Arrays in npz files, never pickled: the same arrays give the same bytes, and a file cannot claim more than it has."""

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import DeckatlasError
from deckatlas.files.limits import MOST_ARRAY_BYTES
from deckatlas.files.reading import read_bytes, shown_path
from deckatlas.files.writing import write_bytes

Arrays = Mapping[str, npt.NDArray[Any]]

_NO_TIME = (1980, 1, 1, 0, 0, 0)  # so that the same arrays are the same bytes
_MOST_ARRAYS = 1000
_ENDING = ".npy"


def write_arrays(
    path: Path, arrays: Arrays, *, error: type[DeckatlasError], what: str = "", packed: bool = False
) -> None:
    """Writes arrays as an npz file.

    Args:
        path: The file.
        arrays: The arrays.
        error: The class of what is raised.
        what: What the file is, for messages: "the network ".
        packed: Whether to compress them.

    Raises:
        DeckatlasError: If the file cannot be written.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in arrays.items():
            entry = io.BytesIO()
            np.lib.format.write_array(entry, np.asarray(array, order="C"), allow_pickle=False)
            kind = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
            archive.writestr(zipfile.ZipInfo(f"{name}{_ENDING}", _NO_TIME), entry.getbuffer(), kind, 9)
    write_bytes(path, content.getvalue(), error=error, what=what)


def read_arrays(path: Path, *, error: type[DeckatlasError], what: str = "") -> dict[str, npt.NDArray[Any]]:
    """Reads the arrays of an npz file.

    Raises:
        DeckatlasError: If it cannot be read, is not such a file, or is too large, packed or unpacked.
    """
    content = read_bytes(path, most=MOST_ARRAY_BYTES, error=error, what=what)
    name = f"{what}{shown_path(path)}"
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > _MOST_ARRAYS or sum(each.file_size for each in entries) > MOST_ARRAY_BYTES:
                raise error(f"{name}: the arrays are larger than {MOST_ARRAY_BYTES // 2**20} MiB, unpacked")
            return {each.filename.removesuffix(_ENDING): _array(archive.read(each)) for each in entries}
    except (ValueError, EOFError, KeyError, TypeError, SyntaxError, OverflowError) as wrong:
        if isinstance(wrong, DeckatlasError):
            raise
        raise error(f"{name}: it is not an npz file of arrays") from None
    except (OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, MemoryError):
        raise error(f"{name}: it is not an npz file of arrays, or damaged") from None


def _array(content: bytes) -> npt.NDArray[Any]:
    """The array of one part; what its header says must fit its size, before memory is taken for it."""
    part = io.BytesIO(content)
    version = np.lib.format.read_magic(part)
    if version == (1, 0):
        shape, _, kind = np.lib.format.read_array_header_1_0(part)
    elif version == (2, 0):
        shape, _, kind = np.lib.format.read_array_header_2_0(part)
    else:
        raise ValueError("an unknown version")
    count = 1
    for length in shape:
        count *= int(length)
    if kind.hasobject or count * kind.itemsize != len(content) - part.tell() or min(shape, default=0) < 0:
        raise ValueError("the header does not fit the content")
    part.seek(0)
    array: npt.NDArray[Any] = np.lib.format.read_array(part, allow_pickle=False)
    return array
