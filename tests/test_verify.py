"""A receipt speaks of one file alone: any other bytes, any other receipt and any other verdict are told."""

from __future__ import annotations

import copy
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import evalschema.finalize as finalizing
import evalschema.verifying as verifying
from evalschema import __version__, validate
from evalschema.commands.verify import command
from evalschema.finalize import canonical, finalize, receipt_path
from evalschema.finding import Finding
from evalschema.rules._engine import rules_of
from evalschema.saving import SaveError
from evalschema.saving import save as really_save
from evalschema.verifying import verify

EXAMPLES = Path(__file__).parents[1] / "schemas" / "examples" / "run" / "valid"
RUN = json.loads((EXAMPLES / "documented.json").read_text("utf-8"))
RELAY = json.loads((EXAMPLES / "RUN004-teams-of-a-relay.json").read_text("utf-8"))
PLACE = "results/missed-tide/harbour-pilot.json"
RECEIPT = "results/missed-tide/harbour-pilot.receipt.json"


def quick(run: Any) -> Any:
    """The run with a judge who was called twelve seconds after the agent, which is warned of."""
    run = copy.deepcopy(run)
    run["judge"]["cli_timestamp"] = "2026-01-15T10:30:12Z"
    return run


def called(*paths: str) -> tuple[int, str]:
    done = CliRunner().invoke(command, list(paths))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, in which a run was saved with its receipt."""
    monkeypatch.chdir(tmp_path)
    assert finalize(RUN, root=tmp_path, receipt=True).receipt == RECEIPT
    return tmp_path


def receipt(root: Path) -> Any:
    return json.loads((root / RECEIPT).read_bytes())


def rewrite(root: Path, **members: Any) -> None:
    """Another receipt, in the form of one."""
    (root / RECEIPT).write_bytes(canonical(receipt(root) | members))


def test_a_receipt_tells_what_was_checked_by_what(root: Path) -> None:
    assert receipt(root) == {
        "evalschema": __version__,
        "path": PLACE,
        "sha256": sha256((root / PLACE).read_bytes()).hexdigest(),
        "schema": "run.schema.json",
        "rules": [rule.code for rule in rules_of("run")],
        "settings": {"elapsed_minimum": 30.0, "extra_labels": False},
        "verdict": {"errors": 0, "warnings": []},
    }
    assert verify(str(root / PLACE)) == []
    assert called(PLACE) == (0, f"{PLACE}: as its receipt says\n")


def test_warnings_and_settings_stand_in_the_receipt(tmp_path: Path) -> None:
    done = finalize(quick(RUN), root=tmp_path, receipt=True)
    assert done.success
    assert receipt(tmp_path)["verdict"] == {
        "errors": 0, "warnings": [{"code": "RUN006", "pointer": "/judge/cli_timestamp"}]
    }  # fmt: skip
    assert verify(str(tmp_path / PLACE)) == []
    run = quick(RUN)
    run["judge"]["response_text"] = run["judge"]["response_text"].replace("WEIGHTED_TOTAL", "Final Score")
    lenient: dict[str, Any] = {"elapsed_minimum": 12, "extra_labels": True}
    assert finalize(run, root=tmp_path, overwrite=True, receipt=True, **lenient).success
    assert receipt(tmp_path)["settings"] == lenient
    assert verify(str(tmp_path / PLACE)) == []


def test_more_warnings_than_are_listed_are_verified_as_well(tmp_path: Path) -> None:
    run = copy.deepcopy(RELAY)
    one = copy.deepcopy(run["agents"][0])
    for index in range(130):
        answer = f"{one['response_text']} ({index})\nWEIGHTED_TOTAL: 100"
        run["agents"].append(one | {"spec": f"mill:{index}", "response_text": answer})
    done = finalize(run, root=tmp_path, receipt=True)
    assert len(done.warnings) > 130
    assert verify(str(tmp_path / run["output_path"])) == []


def test_every_changed_byte_is_noticed(root: Path) -> None:
    whole = (root / PLACE).read_bytes()
    for at in range(0, len(whole), 97):
        (root / PLACE).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        (trouble,) = verify(str(root / PLACE))
        assert trouble.startswith("its bytes are not those that were saved: sha256 is ")
        assert receipt(root)["sha256"][:12] in trouble
    for other in (whole[:-1], whole + b"\n", b"", json.dumps(json.loads(whole)).encode()):
        (root / PLACE).write_bytes(other)
        assert len(verify(str(root / PLACE))) == 1
    assert called(PLACE)[0] == 1


def test_every_changed_byte_of_the_receipt_is_noticed(root: Path) -> None:
    """But those of the version, the path and the minimum: what these say now is what the checks are repeated with."""
    whole = (root / RECEIPT).read_bytes()
    free: set[int] = set()
    for text in (PLACE, __version__, "30.0"):
        free |= {*range(at := whole.index(text.encode()), at + len(text))}
    for at in set(range(len(whole))) - free:
        (root / RECEIPT).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert len(verify(str(root / PLACE))) == 1, (at, whole[at : at + 9])


@pytest.mark.parametrize(
    ("members", "trouble"),
    [
        ({"sha256": "0" * 64}, "its bytes are not those that were saved"),
        ({"rules": ["RUN006"]}, "it was changed afterwards"),
        ({"settings": {"elapsed_minimum": 30, "extra_labels": False, "strict": True}}, "it was changed afterwards"),
        ({"verdict": {"errors": 0, "warnings": [{"code": "RUN006", "pointer": ""}]}}, "it was changed afterwards"),
        ({"verdict": {"errors": 1, "warnings": []}}, "it was changed afterwards"),
        ({"signed": "by me"}, "it was changed afterwards"),
        ({"verdict": None}, "is not one of evalschema"),
        ({"settings": {"elapsed_minimum": True, "extra_labels": False}}, "is not one of evalschema"),
        ({"settings": {"elapsed_minimum": -1, "extra_labels": False}}, "is not one of evalschema"),
        ({"settings": {"elapsed_minimum": "30", "extra_labels": False}}, "is not one of evalschema"),
        ({"settings": {"elapsed_minimum": 30}}, "is not one of evalschema"),
        ({"sha256": 7}, "is not one of evalschema"),
    ],
)
def test_a_changed_receipt_is_told(members: dict[str, Any], trouble: str, root: Path) -> None:
    rewrite(root, **members)
    (found,) = verify(str(root / PLACE))
    assert trouble in found
    assert called(PLACE) == (1, f"{PLACE}: {found}\n")


def test_a_receipt_of_another_version_counts_by_its_verdict(root: Path) -> None:
    rewrite(root, evalschema="0.0.9", rules=["RUN001"])
    assert verify(str(root / PLACE)) == []
    rewrite(root, verdict={"errors": 0, "warnings": [{"code": "RUN010", "pointer": "/agents/0/response_text"}]})
    (trouble,) = verify(str(root / PLACE))
    assert trouble == "the checks of this version give another verdict than the receipt, which another version wrote"


def test_a_forged_receipt_does_not_make_a_bad_run_pass(root: Path) -> None:
    """Whoever can write can make the digest fit; the checks are repeated all the same."""
    run = copy.deepcopy(RUN)
    run["scores"]["harbour:pilot"] = 92
    data = canonical(run)
    (root / PLACE).write_bytes(data)
    rewrite(root, sha256=sha256(data).hexdigest())
    (trouble,) = verify(str(root / PLACE))
    assert trouble == (
        "it does not pass: 92 is claimed, but the judge states 87.5 (line 18) [RUN001] at /scores/harbour:pilot"
    )


def test_a_missing_receipt_or_run_is_told(root: Path) -> None:
    (root / "alone.json").write_bytes((root / PLACE).read_bytes())
    assert called("alone.json") == (
        1, "alone.json: it has no receipt: alone.receipt.json: there is no such file or folder\n"
    )  # fmt: skip
    assert called("nowhere.json") == (1, "nowhere.json: there is no such file or folder\n")
    assert called(".")[0] == 1
    assert called()[0] == 2


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"7", b'{"sha256": "x"}', b"\xff", b"[" * 100_000])
def test_what_is_no_receipt_is_told(content: bytes, root: Path) -> None:
    (root / RECEIPT).write_bytes(content)
    (trouble,) = verify(str(root / PLACE))
    assert trouble.startswith("its receipt is n")
    assert trouble.isprintable()


def test_a_receipt_stands_for_its_run(root: Path) -> None:
    names = sorted(str(path.relative_to(root)) for path in root.rglob("*.json"))
    assert names == [PLACE, RECEIPT]
    assert called(*names) == (0, f"{PLACE}: as its receipt says\n")
    (root / PLACE).unlink()
    assert called(RECEIPT) == (1, f"{PLACE}: there is no such file or folder\n")


def test_names_of_files_cannot_speak_to_a_log(root: Path) -> None:
    for name in ("::error::x.json", "a\n::error::x.json", "\x1b[31m.json"):
        status, output = called(name)
        assert status == 1
        assert output.rstrip("\n").isprintable()
        assert not output.startswith("::")


# --- how receipts are written -------------------------------------------------------------------------------------


def test_a_receipt_is_written_again_alike(root: Path) -> None:
    before = (root / RECEIPT).read_bytes()
    again = finalize(RUN, root=root, receipt=True)
    assert (again.success, again.already_there, again.receipt) == (True, True, RECEIPT)
    assert (root / RECEIPT).read_bytes() == before
    answer = again.to_dict()
    assert answer["receipt"] == RECEIPT
    assert validate(answer, "finalize_result").findings == ()


def test_another_receipt_is_replaced_only_when_that_is_asked_for(root: Path) -> None:
    (root / PLACE).unlink()
    rewrite(root, evalschema="0.0.9")
    before = (root / RECEIPT).read_bytes()
    done = finalize(RUN, root=root, receipt=True)
    assert [(finding.code, finding.pointer) for finding in done.errors] == [("path.exists", "/output_path")]
    assert done.failed_check == "output_path"
    assert not (root / PLACE).exists()
    assert (root / RECEIPT).read_bytes() == before
    assert finalize(RUN, root=root, receipt=True, overwrite=True).success
    assert verify(str(root / PLACE)) == []


def test_a_run_whose_receipt_has_no_place_is_not_saved(tmp_path: Path) -> None:
    run = RUN | {"output_path": "x" * 195 + ".json"}
    done = finalize(run, root=tmp_path, receipt=True)
    assert [finding.code for finding in done.errors] == ["path.length"]
    assert done.errors[0].message.startswith("no receipt can lie beside it: ")
    assert list(tmp_path.iterdir()) == []
    assert finalize(run, root=tmp_path).success


def test_a_receipt_that_cannot_be_written_is_a_fault_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sick(data: bytes, path: str, *rest: Any, **named: Any) -> Any:
        if path == RECEIPT:
            raise SaveError("io.no-space", "there is no space", 28)
        return really_save(data, path, *rest, **named)

    monkeypatch.setattr(finalizing, "save", sick)
    done = finalize(RUN, root=tmp_path, receipt=True)
    assert (done.success, done.fault, done.path, done.receipt) == (False, True, PLACE, None)
    assert done.errors[0].message == "the run was saved, its receipt was not: there is no space"
    assert (tmp_path / PLACE).exists()


def test_no_run_can_pass_for_a_receipt(root: Path) -> None:
    """Objects are open, so that a run could hold all that a receipt does; its name is refused."""
    posing = RUN | receipt(root) | {"output_path": RECEIPT}
    done = finalize(posing, root=root, overwrite=True)
    assert [finding.code for finding in done.errors] == ["path.receipt"]
    assert verify(str(root / PLACE)) == []


def test_the_verdict_of_another_program_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that was added since finds something: the receipt no longer holds."""

    class Checked:
        errors: tuple[Finding, ...] = ()
        warnings = (Finding("RUN011", "new-rule", "warning", "/judge", "new"),)

    def check(*_: object, **__: object) -> type[Checked]:
        return Checked

    monkeypatch.setattr(verifying, "check_bytes", check)
    assert len(verify(str(root / PLACE))) == 1
    rewrite(root, evalschema="0.0.9")
    assert "another verdict" in verify(str(root / PLACE))[0]


def test_the_receipt_lies_beside_its_run() -> None:
    assert receipt_path("a/b.json") == "a/b.receipt.json"
    assert receipt_path("a.json/b.json") == "a.json/b.receipt.json"
