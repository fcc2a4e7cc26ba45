"""How the dashboard is served, the same by `make run` and in the container. gunicorn reads this file where it starts.

Environment variables:

NHVIZ_BIND        address and port; 127.0.0.1:8050, in the container 0.0.0.0:8050
NHVIZ_WORKERS     processes, as many as cores, from 2 to 16: each begins one short request at a time, on a core
NHVIZ_THREADS     threads of a process, 32: three of four may wait for long runs; none waits for a client
NHVIZ_TIMEOUT     seconds, 120, after which a process that shows no sign of life is replaced; not a limit for a request
NHVIZ_ACCESS_LOG  a file for one line per request, "-" for standard output; none unless set
"""

import gc
import os
import signal
import sys

# Matrices have a few rows: threads of BLAS only get in each other's way. Read when numpy is first imported, later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The dashboard first. Last the folder where gunicorn was started, which gunicorn has put first: a file there may be
# called like a module.
sys.path.sort(key=lambda folder: os.path.realpath(folder) == os.path.realpath(os.getcwd()))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gunicorn.http import wsgi

from server.settings import read_or_exit

# Visitors are told who answers, not by which software; gunicorn has no setting for that.
wsgi.SERVER = "nhviz"

settings = read_or_exit()
wsgi_app = "app:create_server()"
bind = os.environ.get("NHVIZ_BIND") or "127.0.0.1:8050"
worker_class = "server.worker.BufferedWorker"
workers, threads, timeout = settings.workers, settings.threads, settings.timeout

# Where the pages are is said by NHVIZ_PREFIX alone: neither a header nor a variable of another program moves them.
forwarder_headers = ""
os.environ.pop("SCRIPT_NAME", None)

# SIGTERM: no new requests, and those under way have half a minute to finish.
graceful_timeout = 30

# The application is loaded once, before the processes fork from it, and so are the kernels if they are on the disk:
# their memory is shared. On a new machine the port opens at once, a process of its own compiles, and each worker loads
# what it needs (`server.readiness`). Forking is safe here: no kernel is parallel, so numba starts no threads, and
# BLAS has one. `pre_fork` tells if that ever changes. Only an edit of the sources needs a restart instead of SIGHUP.
preload_app = True

# gunicorn would put a socket into the home folder, which a read-only file system does not allow; nothing here needs it.
control_socket_disable = True

# The signs of life are writes to a file: in memory they never wait for a disk, and need no writable file system.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

errorlog = "-"
accesslog = os.environ.get("NHVIZ_ACCESS_LOG") or None


# The first process of a container ignores SIGTERM unless it says otherwise, and gunicorn does so only after loading.
# SIGHUP reads this file again, when gunicorn has its own way to end.
if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))


def on_starting(server):
    """Load the kernels, or have them compiled: when the application is loaded, before the port opens."""
    from server import readiness

    readiness.begin()


def when_ready(server):
    """Set aside all that was loaded before the fork: a collection of garbage that walks through it costs 50 ms.

    An answer makes some thousand small objects and no garbage in circles; looking for it rarely is enough. Then fork
    the process that makes what takes long, with half of the cores; macOS has no sockets that keep packets apart.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    if sys.platform == "linux":
        from server import orders

        orders.open_workshop(max(1, settings.cores // 2))


def post_fork(server, worker):
    """Load in this process what is compiled after the fork."""
    from server import readiness

    readiness.keep_loading()


def pre_fork(server, worker):
    """Say so if the application started a thread: it would be missing in every process that is forked now."""
    if len(os.listdir("/proc/self/task") if os.path.isdir("/proc/self/task") else ()) > 1:
        server.log.warning("A thread was started before the fork; it does not run in the workers.")
