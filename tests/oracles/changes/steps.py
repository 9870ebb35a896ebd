"""The steps of a difference, carried out one by one on a tree of dicts."""


class Tree:
    """Parent, name and height of each node by what it is called, and the node of each item."""

    def __init__(self, parent, item_node, items, names, height, prefix):
        def call(v):
            return f"{prefix}:{v}"

        self.parent = {call(v): call(p) if p >= 0 else None for v, p in enumerate(parent)}
        self.name = {call(v): names[v] if names else "" for v in range(len(parent))}
        self.height = {call(v): height[v] if height else None for v in range(len(parent))}
        self.node = {item: call(v) for item, v in zip(items, item_node, strict=True)}

    def is_at_or_below(self, node, other):
        while node is not None and node != other:
            node = self.parent[node]
        return node == other

    def apply(self, step):
        getattr(self, step["step"])(**{key: value for key, value in step.items() if key != "step"})

    def remove_item(self, item):
        del self.node[item]

    def add_item(self, item, under):
        assert item not in self.node
        assert under in self.parent
        self.node[item] = under

    def move_item(self, item, under):
        assert self.node[item] != under
        assert under in self.parent
        self.node[item] = under

    regroup_item = move_item

    def rename_items(self, names):
        assert all(old in self.node for old in names)
        self.node = {names.get(item, item): node for item, node in self.node.items()}

    def dissolve_node(self, node):
        above = self.parent.pop(node)
        assert above is not None
        self.parent = {v: above if p == node else p for v, p in self.parent.items()}
        self.node = {item: above if v == node else v for item, v in self.node.items()}
        del self.name[node], self.height[node]

    def add_node(self, node, under, name, height):
        assert node not in self.parent
        assert under in self.parent
        self.parent[node], self.name[node], self.height[node] = under, name, height

    def move_node(self, node, under):
        assert self.parent[node] != under
        assert not self.is_at_or_below(under, node)
        self.parent[node] = under

    regroup_node = move_node

    def rename_node(self, node, name):
        assert self.name[node] != name
        self.name[node] = name

    def set_height(self, node, height):
        assert self.height[node] != height
        self.height[node] = height

    def content(self):
        """The tree as nested tuples in one order: name, height, items, children. It must be one tree."""
        (root,) = (v for v, p in self.parent.items() if p is None)
        children, items = {v: [] for v in self.parent}, {v: [] for v in self.parent}
        for v, p in self.parent.items():
            if p is not None:
                children[p].append(v)
        for item, v in self.node.items():
            items[v].append(item)

        def nested(v):
            below = sorted((nested(c) for c in children[v]), key=repr)
            return self.name[v], self.height[v], tuple(sorted(items[v])), tuple(below)

        whole = nested(root)
        reached, waiting = set(), [root]
        while waiting:
            reached.add(v := waiting.pop())
            waiting += children[v]
        assert reached == self.parent.keys()
        return whole
