"""The local page: drop two trees, and get the report that the command line writes; and the same as JSON endpoints.

A job is a list of commands of the command line, run in a process of its own that can be ended at any time
(`workers.py`). So whatever the page shows is what the commands give, and each result names them. `tasks.py` says which
commands a task runs, `guard.py` who may ask, `workspace.py` which files may be read, `site.py` what is answered.
"""
