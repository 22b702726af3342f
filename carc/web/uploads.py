"""Bots that authors upload: unpacked, checked one after another, stored."""

import io
import secrets
import tempfile
import threading
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from carc.arena.door import Refused
from carc.arena.upload import Upload
from carc.errors import BadBot, CarcError
from carc.match.bot import Void
from carc.tournaments.isolation import host
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.submission.checking import GAMES, check
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import Registry, Submission

MOST_FILES = 200
"""Files that an archive may hold."""
MOST_UNPACKED = 40 << 20
"""Bytes that its files may have together."""
MOST_WAITING = 8
"""Uploads that may be waiting for their check."""
_MOST_KNOWN = 100  # uploads whose outcome is kept


class UploadQueue:
    """Uploads, checked one after another in a thread."""

    def __init__(
        self,
        submitted: Callable[[Submission], str] = lambda _: "",
        allow: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Create an empty queue.

        `submitted` is called with each bot that was stored, and returns what its author is to know;
        `allow` with the author of each upload, and raises `Refused` to refuse it.
        """
        self._submitted, self._allow = submitted, allow
        self._uploads: dict[str, Upload] = {}
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="uploads")

    @property
    def waiting(self) -> int:
        """How many wait for their check, or are checked."""
        return sum(not upload.outcome for upload in [*self._uploads.values()])

    def of(self, author: str | None, name: str) -> Upload:
        """Return the upload of this id; raise `Refused` if the author has none."""
        found = self._uploads.get(name)
        if found is None or found.author != author:
            raise Refused(404, "there is no such upload")
        return found

    def add(self, author: str, archive: bytes, registry: Registry) -> Upload:
        """Queue an archive. Its bot is stored in the registry if it passes the check.

        Raises `Refused` if too many wait, or if the author may upload nothing now.
        """
        with self._lock:
            if (waiting := self.waiting) >= MOST_WAITING:
                raise Refused(429, f"{waiting} bots wait for their check; try again later")
            self._allow(author)
            while len(self._uploads) >= _MOST_KNOWN:
                del self._uploads[next(iter(self._uploads))]
            upload = Upload(secrets.token_urlsafe(12), author, outcome="", steps=(), bot="")
            self._uploads[upload.id] = upload
        self._worker.submit(_process, upload, archive, registry, self._submitted)
        return upload

    def close(self) -> None:
        """Stop without waiting."""
        self._worker.shutdown(wait=False, cancel_futures=True)


def _process(
    upload: Upload, archive: bytes, registry: Registry, submitted: Callable[[Submission], str]
) -> None:
    """Unpack, check and store an upload."""
    try:
        upload.outcome = _outcome(upload, archive, registry, submitted)
    except Void as error:
        upload.outcome = f"Void: {error}; try again when the machine is less busy."
    except CarcError as error:
        upload.outcome = f"Not submitted: {error}"
    except Exception:
        upload.outcome = "Not submitted: the server failed."
        raise


def _outcome(
    upload: Upload, archive: bytes, registry: Registry, submitted: Callable[[Submission], str]
) -> str:
    with tempfile.TemporaryDirectory(prefix="carc-upload-") as folder:
        content = read(unpack(archive, Path(folder) / "bot"))
    known = registry.known(content, upload.author)
    if known is not None:
        upload.bot = known.spec
        return f"The same content is already submitted as {known.spec}."
    for step in check(content, host.strongest(), Clock(), GAMES, seed=secrets.randbits(52)):
        upload.steps += (step,)
    if not all(step.passed for step in upload.steps):
        return "Not submitted."
    stored = registry.add(content, upload.author)
    upload.bot = stored.spec
    return f"Submitted {stored.spec}, digest {stored.digest}. {submitted(stored)}".rstrip()


def unpack(archive: bytes, target: Path) -> Path:
    """Unpack a zip archive into `target` and return the folder of the bot in it.

    Raises `BadBot` if it is damaged, too large, or holds anything but plain files inside it.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            entries = [entry for entry in files.infolist() if not entry.filename.endswith("/")]
            if len(entries) > MOST_FILES:
                raise BadBot(f"the archive holds {len(entries)} files; at most {MOST_FILES}")
            size = 0
            for entry in entries:
                size += entry.file_size
                if size > MOST_UNPACKED:
                    raise BadBot(f"unpacked it is larger than {MOST_UNPACKED >> 20} MB")
                _extract(files, entry, target)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        raise BadBot("the file is not a zip archive that can be unpacked") from None
    return _bot_folder(target)


def _extract(files: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> None:
    path = target / _relative_path(entry)
    with files.open(entry) as packed:
        data = packed.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        raise BadBot("the archive is damaged")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:  # fails if the archive holds it twice: which of them is the bot?
        file.write(data)
    if entry.external_attr >> 16 & 0o111:
        path.chmod(0o755)


def _relative_path(entry: zipfile.ZipInfo) -> PurePosixPath:
    path = PurePosixPath(entry.filename)
    kind = entry.external_attr >> 28  # of a file made on Unix: 8 is a plain file
    if path.is_absolute() or ".." in path.parts or "\\" in entry.filename or kind not in (0, 8):
        raise BadBot("the archive holds links or names outside of it; only plain files are allowed")
    return path


def _bot_folder(target: Path) -> Path:
    """Return the folder with the manifest: the archive's root, or the only folder in it."""
    if not target.is_dir():
        raise BadBot("the archive is empty")
    inner = list(target.iterdir())
    return inner[0] if len(inner) == 1 and inner[0].is_dir() else target
