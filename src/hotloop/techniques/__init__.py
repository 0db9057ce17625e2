"""From findings to moves: what can be changed, and what the change should bring.

`technique` is the form of a technique and each module of `methods` is one; `moves` turns proposals into valid variants,
`menu` orders them by expected gain, and `calibration` corrects predictions by what earlier steps measured.

Techniques know no kernel: they look for the parameters of a space that are labelled with their name, so a user's own
kernel is moved by the same code as a shipped family.
"""
