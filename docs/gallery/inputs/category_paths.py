"""A category tree as a table of paths, before and after.

You have a table with a row for each product and its path of categories in the old and in the new shop, such as
`Home/Kitchen`. You get both category trees, how alike they are, and the products whose neighbours in
the tree changed most.
"""

import pandas as pd
from matplotlib import pyplot as plt

import dendrometry as dm

products = pd.read_csv("data/products.csv")
trees = [dm.from_paths(products[version], item_names=products["product"]) for version in ("old", "new")]

agreement = dm.compare(*trees)["hierarchy_agreement"]
print(f"Adjusted hierarchy agreement of the old and the new categories: {agreement.adjusted:.2f}")
moved = dm.item_disagreement(*trees).worst(3)
print("Neighbours changed most:", ", ".join(product for product, _ in moved))

figure, axes = plt.subplots(2, 1, figsize=(10, 5.5), layout="constrained")
for ax, tree, name in zip(
    axes, trees, ("Old categories", "New categories, in the colours of the old ones"), strict=True
):
    dm.plot.icicle(tree, labels=products["old"].str.split("/").str[0].tolist(), ax=ax)
    ax.get_legend().remove()
    ax.set_title(name)
figure.savefig("categories.png", dpi=150)
