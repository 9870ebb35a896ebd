"""Messages: text and fields, in the words of Python and of the command line."""

import ast
import pickle
import re
from pathlib import Path

import pytest

import dendrometry as dm
from dendrometry.errors import Argument, InvalidInputError, MissingExtraError, NthTree, Remedy, UnknownNameError, phrase

PARTS = (Argument("sep"), " of ", NthTree("second"), " must be text; got 3", Remedy("sep", "/", "takes single steps"))


@pytest.mark.parametrize("kind", [InvalidInputError, MissingExtraError, UnknownNameError])
def test_the_parts_of_a_message_are_kept_when_an_error_is_sent_elsewhere(kind):
    error = pickle.loads(pickle.dumps(kind(*PARTS)))
    assert error.args == PARTS
    assert str(error) == "sep of the second tree must be text; got 3 (sep='/' takes single steps)"


@pytest.mark.parametrize(
    ("remedy", "says"),
    [
        (Remedy("force", True, "replaces it"), "force=True replaces it"),
        (Remedy("encoding", ..., "names another"), "encoding= names another"),
        (Remedy("tree", 1, "is the first", "read"), "read(..., tree=1) is the first"),
        (Remedy("", ..., "returns all", "read_many"), "read_many() returns all"),
        (Remedy("", ..., "TMPDIR names another folder"), "TMPDIR names another folder"),
    ],
)
def test_remedies_are_arguments_functions_or_text(remedy, says):
    assert str(remedy) == says
    assert phrase(("it must be; it is not", remedy)) == f"it must be; it is not ({says})"


def test_a_remedy_without_words_is_left_out():
    assert phrase(PARTS, lambda part: "" if isinstance(part, Remedy) else "x") == "xxxx"


def test_readers_called_by_other_functions_advise_the_reader(tmp_path):
    path = tmp_path / "tree.nwk"
    path.write_text("((a:1,b):1,c:2);")
    with pytest.raises(dm.errors.FormatError, match=r"\(read\(\.\.\., missing_lengths='zero'\) takes it as 0; read"):
        dm.compare(path, path)
    with pytest.raises(dm.errors.FormatError, match=r"\(missing_lengths='zero' takes it as 0; missing"):
        dm.read(path)


def test_other_functions_advise_to_compare_the_common_items():
    a, b = dm.from_newick("((a,b),c);"), dm.from_newick("((a,b),d);")
    with pytest.raises(dm.errors.ItemMismatchError, match=r"compare\(\.\.\., on_mismatch='intersect'\) compares"):
        dm.plot.tanglegram(a, b)


def texts_of_errors(path):
    """Yield the line and the text of each string in a raised error that is not in a remedy."""
    raised = [node.exc for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Raise)]
    while raised:
        node = raised.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif node is not None and not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Remedy"):
            raised += ast.iter_child_nodes(node)


def test_arguments_options_and_functions_in_errors_are_fields():
    package = Path(dm.__file__).parent
    functions = "|".join(name for name in dir(dm) if name.islower())
    advice, option = re.compile(rf"\b\w+=(?!=)|\b(?:{functions})\(\)"), re.compile(r"(?<!\S)--\w")
    found = [
        f"{path.relative_to(package)}:{line}: {text}"
        for path in package.rglob("*.py")
        for line, text in texts_of_errors(path)
        if advice.search(text) or (option.search(text) and "cli" not in path.parts)
    ]
    assert not found
