# The bot as an image: no root, nothing writable but /data. Build: docker build -t chancery .
FROM python:3.11.14-slim-bookworm AS build
WORKDIR /src
COPY requirements.lock ./
RUN python -m venv /app && /app/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY engine engine
COPY renderer renderer
COPY data data
COPY sandbox sandbox
COPY tools/__init__.py tools/texts.py tools/
RUN /app/bin/python -m tools.texts compile && /app/bin/pip install --no-cache-dir --no-deps .

FROM python:3.11.14-slim-bookworm
RUN useradd --uid 10001 --create-home chancery && install -d -o chancery -g chancery -m 700 /data
COPY --from=build /app /app
USER 10001
WORKDIR /data
VOLUME /data
ENV CHANCERY_DATABASE=/data/chancery.db PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# The memory of a picture goes back to the system as soon as it is drawn (docs/operating.md).
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s CMD ["/app/bin/python", "-m", "bot", "alive"]
ENTRYPOINT ["/app/bin/python", "-m", "bot"]
