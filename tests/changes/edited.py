"""Category trees, and random edits of them with what they are expected to be found as."""

import numpy as np

from dendrometry import from_parents


class Shelves:
    """A category tree that can be edited: parents of named nodes, and the node of each item."""

    def __init__(self, parent, node):
        self.parent, self.node = dict(parent), dict(node)

    def copy(self):
        return Shelves(self.parent, self.node)

    def below(self, name):
        """The nodes at or below a node."""
        found = [name]
        for at in found:
            found += [v for v, p in self.parent.items() if p == at]
        return found

    def tree(self):
        names = ["", *self.parent]
        number = {name: v for v, name in enumerate(names)}
        parent = [-1, *(number[p] for p in self.parent.values())]
        return from_parents(parent, [number[v] for v in self.node.values()], None, list(self.node), names)

    def move(self, name, to):
        self.parent[name] = to

    def rename(self, name, to):
        self.parent = {to if v == name else v: to if p == name else p for v, p in self.parent.items()}
        self.node = {item: to if v == name else v for item, v in self.node.items()}

    def dissolve(self, name):
        up = self.parent.pop(name)
        self.parent = {v: up if p == name else p for v, p in self.parent.items()}
        self.node = {item: up if v == name else v for item, v in self.node.items()}

    def group(self, name, under, members):
        self.parent[name] = under
        for member in members:
            if member in self.parent:
                self.parent[member] = name
            else:
                self.node[member] = name

    def edit(self, rng):
        """Make one random edit; return its kind."""
        names = list(self.parent)
        name = names[rng.integers(len(names))]
        item = list(self.node)[rng.integers(len(self.node))]
        kind = str(rng.choice(["move", "rename", "dissolve", "group", "move_item", "add_item", "remove_item"]))
        places = ["", *(v for v in names if v not in self.below(name))]
        place = places[rng.integers(len(places))]
        match kind:
            case "move":
                self.move(name, place)
            case "rename":
                self.rename(name, f"{name}'")
            case "dissolve" if len(names) > 2:
                self.dissolve(name)
            case "group":
                self.group(f"{name}*", name, [v for v, p in self.node.items() if p == name and rng.random() < 0.6])
            case "move_item":
                self.node[item] = name
            case "add_item":
                self.node[f"new {len(self.node)} {rng.integers(1000)}"] = name
            case "remove_item" if len(self.node) > 2:
                del self.node[item]
        return kind


def shelves(n_nodes, n_items, rng, *, leaves_only=False):
    """A random category tree, each node with at least three items unless it has children."""
    rng = np.random.default_rng(rng)
    names = [f"c{i}" for i in range(n_nodes)]
    parent = {names[i]: names[int(rng.integers(max(i, 1)))] if i > 2 else "" for i in range(n_nodes)}
    inner = set(parent.values())
    places = [name for name in names if name not in inner] if leaves_only else names
    node = {f"i{j}": places[int(rng.integers(len(places)))] for j in range(n_items)}
    for name in names:
        if name not in inner:
            node |= {f"{name}-{j}": name for j in range(3)}
    return Shelves(parent, node)
