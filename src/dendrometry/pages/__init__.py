"""Reports: one self-contained HTML page each, which asks nothing of any network.

A further page is added like this:

1. A module beside `comparison.py` makes a `page.Page`: title, lead, sections with their headings, data, and the scripts
   that it runs. `markup.tag` builds HTML and escapes what is put into it; `markup.label` is for names of any kind;
   `page.fragment` takes a piece of HTML from a file of this room; `measures.measures_table` shows lines of measures.
2. Data for the scripts are plain values; columns go through `packed.packed` and `packed.packed_names`, which compress.
3. Its scripts are files of this room, in JavaScript, listed in ``Page.scripts``. ``shell.js`` runs before them and has
   what they share: ``Report.data``, ``Report.unpack``, ``Report.el`` (elements, whose text is never HTML),
   ``Report.pagedTable``, ``Report.plotly`` (runs plotly), ``Report.theme`` (its colours, light or dark), ``Report.run``
   (starts the page and marks it ready). Styles are in ``page.css``.
4. `report.report` finds the page of a result by its type; `page.write_page` writes it, whole or not at all.
"""
