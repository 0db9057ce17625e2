"""Formats of report files, each a folder: ``HELP`` of its option, and a module with ``render`` for each subject that it writes.

Subjects are a ``run`` (`hotloop.report.view.page.View`) and an ``explanation`` (`hotloop.explain.page.Explanation`).
"""
