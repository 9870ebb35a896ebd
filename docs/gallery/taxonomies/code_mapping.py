"""Categories found through another code system.

You have items with a true and a predicted term of a taxonomy: here codes of ICD-10-CM, the category of each in CCS, and
the categories of the codes of ICD-9-CM to which the official tables map it. You get how often the way through ICD-9
leads to the right chapter, group and category, beside chance, with intervals.
"""

import pandas as pd
from matplotlib import pyplot as plt

import dendrometry as dm

categories = dm.io.read_dag("data/taxonomies/ccs.csv")
truth, predicted = (pd.read_csv(f"data/taxonomies/{name}.csv") for name in ("icd10_ccs", "icd10_ccs_through_icd9"))
found = dm.taxonomy.score_predictions(truth, predicted, taxonomy=categories)
print(found.verdict)
levels = found.levels.to_frame().set_index("depth")
shares = (levels.n_shared / levels.n_true).round(2).to_dict()
print("Right chapters, groups and categories:", *shares.values())
worst = found.terms_to_frame().assign(missed=lambda rows: rows.n_true - rows.n_shared).nlargest(1, "missed").iloc[0]
print(f"Most often missed: {worst['name']}, {worst.missed} of {worst.n_true}")

figure, ax = plt.subplots(figsize=(8, 5.5), layout="constrained")
dm.plot.prediction_scores(found, ax=ax)
figure.savefig("scores.png", dpi=150)
