"""From paths to what a report is about: the results of all documents and the workspaces, each file read once."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evalschema.files import check_lines_file
from evalschema.lines import LINES_SUFFIXES
from evalschema.output._fit import fitted
from evalschema.report.figures import Benchmark, benchmark_of, lone_benchmark
from evalschema.rules._across import rules_across
from evalschema.walking import is_document, matcher
from evalschema.workspace.reading import Folder, Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evalschema.finding import Result
    from evalschema.settings import Settings
    from evalschema.workspace.model import Document


@dataclass(slots=True)
class Material:
    """What a report shows: a result a document, in the order in which they were found, and what the workspaces say.

    `paths` are those that were asked for, `empty` those of them that led to no document.
    """

    paths: tuple[str, ...]
    results: list[Result] = field(default_factory=list["Result"])
    benchmarks: list[Benchmark] = field(default_factory=list[Benchmark])
    empty: list[str] = field(default_factory=list[str])


def gather(paths: Sequence[str], settings: Settings) -> Material:
    """Check everything under the paths, files and folders; raises `RuleError` when a rule crashes."""
    material = Material(tuple(paths))
    excluded = matcher(settings.exclude)
    for path in paths:
        before = len(material.results)
        if os.path.isdir(path):
            _add_folder(material, path, settings)
        elif path.endswith(LINES_SUFFIXES):
            material.results.append(check_lines_file(path, settings=settings))
        elif not excluded(path):
            reader = Reader(settings)
            _add_lone(material, reader.document(path), reader, settings)
        if len(material.results) == before:
            material.empty.append(path)
    return material


def _add_folder(material: Material, path: str, settings: Settings) -> None:
    """All documents of a folder, by path; those of a workspace are judged together."""
    folder = Folder(path, settings)
    done: dict[str, Result] = {}
    for unit in folder.units():
        reader = Reader(settings)
        workspaces = folder.workspaces(unit, reader)
        for workspace in workspaces:
            for rule in rules_across():
                for document, finding in rule.judge(workspace):
                    document.added.append(finding)
        together = {document.path: reader.result(document) for document in reader.documents()}
        done |= together
        material.benchmarks += [benchmark_of(each, together) for each in workspaces if each.graded]
    shown = {each.path for each in material.benchmarks}
    for each in folder.paths:
        if each in done:
            result = done.pop(each)
            if result.kind == "benchmark" and each not in shown:
                # its folder holds no grading, so that no workspace was made of it
                reader = Reader(settings)
                material.benchmarks.append(lone_benchmark(reader.document(each), result))
            material.results.append(fitted(result, settings.max_findings))
        elif is_document(each):
            reader = Reader(settings)
            _add_lone(material, reader.document(each), reader, settings)


def _add_lone(material: Material, document: Document, reader: Reader, settings: Settings) -> None:
    result = reader.result(document)
    if result.kind == "benchmark":
        material.benchmarks.append(lone_benchmark(document, result))
    material.results.append(fitted(result, settings.max_findings))
