"""What a page is: labs, their states, and what they show. Records and values only, no web framework.

A lab is one file in `nhviz/labs` that fills in the records of `records`. `words` tells what can be said about it,
`state` holds what is said, `shown` computes what is to be seen, `find` finds the files, `checks` reads them first.
"""
