"""The sources in Swift, as far as they can be checked without its compiler: SOURCE HEADER LIBRARY PAGE.

The grammar of tree-sitter must read the generated source and the example of the page; every function
that the source calls must stand in the header, and the library must have every one of the header.
"""

import ctypes
import re
import sys
from pathlib import Path

import tree_sitter
import tree_sitter_swift

# Stands behind `#if swift(>=5.8)`; the grammar does not know an argument with a label there.
NOT_KNOWN = re.compile(r"@_documentation\(visibility: private\)")
OF_THE_LIBRARY = re.compile(r"\b(?:uniffi|ffi)_wayveil_phone_\w+")


def faults(text):
    """Where the grammar cannot read it."""
    source = text.encode()
    tree = tree_sitter.Parser(tree_sitter.Language(tree_sitter_swift.language())).parse(source)
    found, todo = [], [tree.root_node]
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            found.append(f"line {node.start_point[0] + 1}: {source[node.start_byte : node.end_byte][:80]!r}")
        todo += [child for child in node.children if child.has_error or child.is_missing]
    return found


def main(source, header, library, page):
    assert faults("func broken( {"), "the grammar reads anything"
    text = NOT_KNOWN.sub("", Path(source).read_text())
    assert not faults(text), faults(text)
    examples = re.findall(r"```swift\n(.*?)```", Path(page).read_text(), re.S)
    assert examples and not any(faults(example) for example in examples), [faults(it) for it in examples]
    called = set(OF_THE_LIBRARY.findall(text))
    declared = set(OF_THE_LIBRARY.findall(Path(header).read_text()))
    assert called and called <= declared, called - declared
    loaded = ctypes.CDLL(library)
    missing = [name for name in sorted(declared) if not hasattr(loaded, name)]
    assert not missing, missing
    print(f"Swift: {len(text.splitlines())} lines parsed, {len(called)} functions found")


if __name__ == "__main__":
    main(*sys.argv[1:])
