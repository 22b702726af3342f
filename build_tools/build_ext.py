"""Compiles and links on all cores, and keeps what is unchanged."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from setuptools import Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, ExecError, LinkError, PlatformError

from build_tools.c_sources import headers_digest, includes_headers, options_of
from build_tools.progress import Progress, say

INTERPRETED = "carc will run interpreted, some thirty times slower"


def compiler_missing() -> str:
    """Return a sentence if there is no C compiler; empty if there is one."""
    from setuptools._distutils.ccompiler import new_compiler
    from setuptools._distutils.sysconfig import customize_compiler

    compiler: Any = new_compiler()
    try:
        customize_compiler(compiler)
        if hasattr(compiler, "initialize"):
            compiler.initialize()
    except PlatformError as error:
        return f"no C compiler ({error})"
    command = getattr(compiler, "compiler_so", None)
    if command and not shutil.which(command[0]):
        return f"no C compiler ({command[0]!r} is not installed; CC names another)"
    return ""


class BuildExtensions(build_ext):
    """The command `build_ext`, by contents instead of times: C that is unchanged is not compiled
    again.
    """

    def finalize_options(self) -> None:
        """Use all cores."""
        super().finalize_options()
        self.extensions: list[Extension]
        self.cores = int(os.environ.get("CARC_CORES", "0")) or os.cpu_count() or 1

    def build_extensions(self) -> None:
        """Compile what changed and link it; leave all modules interpreted if that fails."""
        try:
            self._build()
        except (CompileError, LinkError, ExecError, PlatformError) as error:
            say(f"the C compiler failed ({error}); {INTERPRETED}")
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []

    def _build(self) -> None:
        if hasattr(self.compiler, "initialize"):
            self.compiler.initialize()
        self._base = f"{sys.version} {sys.platform} {self._compiler_version()}"
        self._headers = headers_digest()
        jobs = {
            self._object(source): (source, extension)
            for extension in self.extensions
            for source in extension.sources
        }
        keys = {name: self._key(*job) for name, job in jobs.items()}
        stale = [name for name, key in keys.items() if _kept(name) != key]
        stale.sort(key=lambda name: -Path(jobs[name][0]).stat().st_size)  # the longest first
        if stale:
            progress = Progress(f"compiling C files on {self.cores} cores", len(stale))

            def compile_one(name: str) -> None:
                self._compile(*jobs[name])
                _keep(name, keys[name])
                progress.advance()

            self._on_all_cores(compile_one, stale)
        self._on_all_cores(lambda extension: self._link(extension, keys), self.extensions)
        if not self.inplace:
            self._remove_others()

    def _remove_others(self) -> None:
        """Remove libraries of modules that are no longer compiled: they would be installed, too."""
        wanted = {Path(self.get_ext_fullpath(extension.name)) for extension in self.extensions}
        suffix = Path(self.get_ext_filename("any")).name.removeprefix("any")
        for library in Path(self.build_lib).rglob(f"*{suffix}"):
            if library not in wanted:
                library.unlink()

    def _on_all_cores(self, do: Any, arguments: list[Any]) -> None:
        with ThreadPoolExecutor(self.cores) as pool:
            futures = [pool.submit(do, argument) for argument in arguments]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _object(self, source: str) -> str:
        (name,) = self.compiler.object_filenames([source], output_dir=self.build_temp)
        return str(name)

    def _compile(self, source: str, extension: Extension) -> None:
        self.compiler.compile(
            [source],
            output_dir=self.build_temp,
            include_dirs=extension.include_dirs,
            debug=self.debug,
            extra_postargs=_options(source, extension),
        )

    def _link(self, extension: Extension, keys: dict[str, str]) -> None:
        objects = [self._object(source) for source in sorted(extension.sources)]
        library = self.get_ext_fullpath(extension.name)
        # What lies in the library's place may come from elsewhere, so its time counts, too.
        key = _digest(library, *(keys[name] for name in objects))
        mark = str(Path(self.build_temp, extension.name))
        if _kept(mark, library) == key:
            return
        self.compiler.link_shared_object(
            objects,
            library,
            libraries=self.get_libraries(extension),
            library_dirs=extension.library_dirs,
            runtime_library_dirs=extension.runtime_library_dirs,
            extra_postargs=extension.extra_link_args,
            export_symbols=self.get_export_symbols(extension),
            debug=self.debug,
            build_temp=self.build_temp,
            target_lang="c",
        )
        _keep(mark, key)

    def _key(self, source: str, extension: Extension) -> str:
        text = Path(source).read_text(encoding="utf-8")
        headers = self._headers if includes_headers(text) else ""
        return _digest(self._base, headers, repr(_options(source, extension)), text)

    def _compiler_version(self) -> str:
        command = getattr(self.compiler, "compiler_so", None)
        if not command:
            return str(getattr(self.compiler, "cc", ""))
        said = subprocess.run(
            [command[0], "--version"], capture_output=True, text=True, check=False
        )
        return f"{command} {said.stdout}"


def _options(source: str, extension: Extension) -> list[str]:
    return [*extension.extra_compile_args, *options_of(source)]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _kept(name: str, product: str = "") -> str:
    """Return the key that the product was made with; empty if it is not there."""
    key = Path(f"{name}.key")
    return key.read_text("utf-8") if key.is_file() and Path(product or name).is_file() else ""


def _keep(name: str, key: str) -> None:
    path = Path(f"{name}.key")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(key, encoding="utf-8")
