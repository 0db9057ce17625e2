"""Small SVG plots without a plotting library: each function maps data of the view to one inline `<svg>`.

A plot is drawn twice, at the width of a desktop column and at that of a phone, and the style sheet shows one; scaling a
single drawing would make its labels unreadable on the phone.
"""
