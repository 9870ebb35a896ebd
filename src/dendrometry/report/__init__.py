"""Reports, each a self-contained HTML page that loads nothing from a network.

To add a page:

1. Write a module beside `comparison.py` that returns a `page.Page`: title, lead, sections with their headings, data,
   and scripts. `markup.tag` builds HTML and escapes its content; `markup.label` formats names of any kind;
   `page.fragment` reads a piece of HTML from a file of this package; `measures_table.measures_table` shows measures.
2. Pass data to the scripts as plain values; compress columns by `packed.pack` and `packed.pack_names`.
3. Write its scripts in JavaScript, as files of this package, and list them in ``Page.scripts``. ``shell.js`` runs
   before them and provides what they share: ``Report.data``, ``Report.unpack``, ``Report.el`` (elements, whose text is
   never HTML), ``Report.pagedTable``, ``Report.plotly`` (runs plotly), ``Report.theme`` (its colours, light or dark),
   ``Report.run`` (starts the page and marks it ready). Styles are in ``page.css``.
4. Add it to `report.report`, which selects the page of a result by its type; `page.write_page` writes it completely or
   not at all.
"""
