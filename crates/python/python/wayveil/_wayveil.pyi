"""What is written in Rust; nothing for users."""

from typing import Any, final

from wayveil._mechanism import Mechanism
from wayveil._progress import Ear

__all__ = [
    "__version__",
    "Data",
    "Table",
    "Client",
    "Tallier",
    "run",
    "command_line",
    "read_table",
    "release_table",
    "table_of_lists",
    "people_of",
]

__version__: str

@final
class Data:
    @staticmethod
    def open(path: str) -> Data | None: ...
    def facts(self) -> str: ...
    def save(self, path: str, force: bool) -> None: ...
    def save_universe(self, path: str) -> None: ...

@final
class Table:
    def columns(self) -> list[tuple[str, str]]: ...
    def __len__(self) -> int: ...
    def to_lists(self, rows: int | None = None) -> dict[str, list[Any]]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def addresses(self, column: str) -> list[int]: ...

@final
class Client:
    def __new__(
        cls,
        terms: bytes,
        trajectory: list[int],
        *,
        epsilon: str,
        per_client: int,
        length: int,
        insecure_seed: int | None,
    ) -> Client: ...
    @property
    def round(self) -> int | None: ...
    @property
    def place(self) -> int: ...
    def answer(self, question: bytes) -> bytes: ...

@final
class Tallier:
    def __new__(cls, question: str) -> Tallier: ...
    def add(self, batch: Any) -> None: ...
    def table(self) -> Table: ...

def run(
    words: list[str],
    *,
    held: dict[str, Data],
    tables: dict[str, tuple[Table, int | None]],
    counted: dict[str, tuple[Data, Any]],
    keep: str | None,
    mechanisms: dict[str, Mechanism],
    audited: str | None,
    ear: Ear,
) -> tuple[bool, str, str, Data | None]: ...
def command_line() -> str: ...
def read_table(source: Any) -> Table: ...
def release_table(folder: str, name: str) -> Table | None: ...
def people_of(data: Data) -> Table: ...
def table_of_lists(records: list[list[str]]) -> Table: ...
