"""`python -m server.desk FOLDER NAME LOCK`: be the desk of a server. Its workers import this file, too."""

import sys

if __name__ == "__main__":
    from server.desk.process import main

    main(*sys.argv[1:])
