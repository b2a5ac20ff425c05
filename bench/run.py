"""`make bench`: ratios measured in one run. No measurement is registered yet."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table


def main() -> None:
    table = Table(title="roboinstruct bench", caption="nothing is measured yet")
    for column in ("what", "baseline", "ours", "ratio"):
        table.add_column(column)
    Console().print(table)


if __name__ == "__main__":
    main()
