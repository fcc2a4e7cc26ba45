# The dashboard as an image: docker build -t nhviz . && docker run --rm -p 8050:8050 nhviz
# README.md says how to run it locked down; docker/check builds it and tries everything that is promised here.

# The digest says which build of the tag is meant; `make pins` renews it.
ARG BASE=python:3.11.16-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b

FROM $BASE AS builder
WORKDIR /app
COPY requirements.txt .
# Without a pip of its own the environment holds only what runs.
RUN python -m venv --without-pip /opt/venv \
 && pip --python /opt/venv/bin/python install --no-cache-dir --disable-pip-version-check --require-hashes \
    --only-binary :all: --report /opt/report.json -r requirements.txt
COPY nhviz nhviz
# Compiled here, in the folder where it will run: numba's cache knows a kernel by the path and the text of its source.
# Only nhviz is here, so that an edit elsewhere does not compile it again.
# nhviz closes the folder to others, who only read it here.
RUN /opt/venv/bin/python -m compileall -q nhviz \
 && NUMBA_CACHE_DIR=/opt/kernels /opt/venv/bin/python -c "import nhviz; nhviz.warm()" \
 && chmod -R a+rX /opt/kernels

FROM $BASE
RUN useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin nhviz
# TMPDIR and the cache of kernels are all that is ever written, both in /tmp. Commands of other packages, as those of dask
# for a cluster, find nhviz by its path.
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    NUMBA_CACHE_DIR=/tmp/kernels \
    NHVIZ_BIND=0.0.0.0:8050
WORKDIR /app
COPY --from=builder /opt/venv /opt/venv
COPY --from=builder /opt/kernels /opt/kernels
COPY --from=builder /app/nhviz nhviz
COPY docker/start /usr/local/bin/start
COPY app.py gunicorn.conf.py ./
COPY assets assets
COPY layouts layouts
COPY callbacks callbacks
COPY server server
# What is in the image, for those who look for packages with known flaws.
RUN --mount=type=bind,source=docker/sbom.py,target=/mnt/sbom.py \
    --mount=type=bind,from=builder,source=/opt/report.json,target=/mnt/report.json \
    mkdir /usr/share/nhviz && python /mnt/sbom.py /mnt/report.json nhviz >/usr/share/nhviz/sbom.json
USER 10001:10001
EXPOSE 8050
# A processor other than that of the build compiles while the page answers already: until all is there failures do not count.
HEALTHCHECK --interval=30s --timeout=6s --start-period=180s --retries=3 CMD ["python", "-m", "server.health"]
ENTRYPOINT ["start"]
CMD ["gunicorn"]
