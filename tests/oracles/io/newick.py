"""Newick by recursive descent: the grammar, rule by rule, for small trees without comments."""


def parse(text):  # noqa: C901 - a grammar in one place
    """Return nested (name, length or None, children)."""
    position = 0

    def peek():
        return text[position]

    def take():
        nonlocal position
        position += 1
        return text[position - 1]

    def word(stop):
        result = ""
        while peek() not in stop:
            result += take()
        return result.strip()

    def name():
        if peek() != "'":
            return word("(),:;")
        take()
        result = ""
        while True:
            c = take()
            if c != "'":
                result += c
            elif peek() == "'":
                result += take()
            else:
                return result

    def branch():
        children = []
        if peek() == "(":
            take()
            children.append(branch())
            while take() == ",":
                children.append(branch())
        label, length = name(), None
        if peek() == ":":
            take()
            length = float(word("(),;"))
        return label, length, children

    return branch()


def tips_below(node):
    """Every set of tips that hangs below a node, as a sorted list of sorted tuples, tips included."""
    label, _, children = node
    if not children:
        return [(label,)]
    below = [tips_below(child) for child in children]
    whole = tuple(sorted(name for group in below for name in max(group, key=len)))
    return sorted([whole] + [tips for group in below for tips in group])


def height_above_tips(node):
    """The distance from a node down to its first tip, following first children."""
    _, _, children = node
    if not children:
        return 0.0
    return children[0][1] + height_above_tips(children[0])


def depths_of_tips(node):
    """The distance of every tip from the root, whose own length does not count."""
    label, _, children = node
    if not children:
        return {label: 0.0}
    return {
        tip: child[1] + depth for child in children for tip, depth in depths_of_tips((child[0], None, child[2])).items()
    }
