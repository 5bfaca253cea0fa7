#!/usr/bin/env python3
"""Measures committed lease decisions per second over REST, beside what the same Postgres commits
of the same rows without us.

    mvn -DskipTests package && python3 bench/run.py [--seconds 15]

Needs a JDK 25, wrk, and PostgreSQL with pgbench (Debian: `apt-get install wrk postgresql`). Starts
a throwaway durable server (fsync and synchronous_commit on) and the jar, fills pools of simulated
nodes, and prints one Markdown table. Everything runs on this machine and ends with the script.
"""

import argparse
import datetime
import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
CLIENTS = (1, 8, 32)
GPUS_PER_NODE = 8
TEAMS = 12
WARM_UP = 30


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Postgres:
    """A durable server of the newest PostgreSQL installed, in a folder of its own."""

    def __init__(self, folder):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda p: int(p.split("/")[4]))
        self.bin = os.environ.get("PG_BIN") or (found[-1] if found else "")
        self.data = os.path.join(folder, "pg")
        self.port = free_port()
        os.chmod(folder, 0o755)
        os.mkdir(self.data)
        if os.geteuid() == 0:
            shutil.chown(self.data, "postgres")
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--data-checksums")
        with open(os.path.join(self.data, "postgresql.conf"), "a") as conf:
            conf.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\n"
                f"unix_socket_directories = '{self.data}'\nfsync = on\nsynchronous_commit = on\n"
                "shared_buffers = 1GB\nmax_wal_size = 4GB\nmax_connections = 100\n")
        self.run("pg_ctl", "-D", self.data, "-w", "-l", os.path.join(self.data, "log"), "start")

    def run(self, tool, *args, stdin=None):
        command = [os.path.join(self.bin, tool), *args]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, cwd="/")
        if done.returncode != 0:
            sys.exit(f"{tool} failed: {done.stderr[-2000:]}{done.stdout[-2000:]}")
        return done.stdout

    def sql(self, database, text):
        return self.run(
            "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-d", database,
            "-v", "ON_ERROR_STOP=1", "-qAtX", "-f", "-", stdin=text).strip()

    def flush_millis(self):
        out = self.run("pg_test_fsync", "-s", "1", "-f", os.path.join(self.data, "fsync.test"))
        rate = re.search(r"fdatasync\s+([\d.]+) ops/sec", out)
        return 1000 / float(rate.group(1)) if rate else float("nan")

    def stop(self):
        self.run("pg_ctl", "-D", self.data, "-m", "fast", "stop")


class Service:
    """The shipped jar in production mode."""

    def __init__(self, postgres, folder, publishing):
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.environment = dict(
            os.environ,
            SPRING_DATASOURCE_URL=f"jdbc:postgresql://127.0.0.1:{postgres.port}/leasehold",
            SPRING_DATASOURCE_USERNAME="postgres",
            SPRING_DATASOURCE_PASSWORD="unused",
            SERVER_PORT=str(self.port),
            MANAGEMENT_SERVER_PORT=str(free_port()),
            LEASEHOLD_PUBLISHING_ENABLED=str(publishing).lower(),
            LEASEHOLD_WEB_RATE_CALLER="1000000",
            LEASEHOLD_WEB_RATE_BURST="1000000",
            LEASEHOLD_WEB_RATE_TENANT="1000000")
        self.java = [
            java(), "-Xmx1g", "-XX:+UseParallelGC", "-XX:SweeperThreshold=100",
            "-XX:MetaspaceSize=160m", "-jar", os.path.join(ROOT, "target", "leasehold.jar")]
        self.log = open(os.path.join(folder, "service.log"), "w")
        self.process = subprocess.Popen(
            self.java, env=self.environment, cwd=folder, stdout=self.log, stderr=self.log)
        self.wait()

    def bootstrap(self):
        """The key of the first platform admin."""
        return subprocess.run(
            [*self.java, "bootstrap-admin", "--name", "bench"], env=self.environment, cwd="/tmp",
            capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1]

    def wait(self):
        for _ in range(240):
            if self.process.poll() is not None:
                sys.exit("the service ended; see " + self.log.name)
            try:
                urllib.request.urlopen(self.base + "/readyz", timeout=2)
                return
            except OSError:
                time.sleep(0.5)
        sys.exit("the service did not become ready; see " + self.log.name)

    def call(self, key, method, path, body=None, headers=None):
        request = urllib.request.Request(
            self.base + "/api/v1" + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + key, "Content-Type": "application/json",
                     **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.loads(answer.read() or b"null"), answer.headers
        except urllib.error.HTTPError as error:
            self.log.flush()
            print(open(self.log.name).read()[-4000:], file=sys.stderr)
            sys.exit(f"{method} {path}: {error.code} {error.read().decode()[:2000]}")

    def heap_after_collection(self):
        """Bytes of live heap, after a full collection."""
        tool = os.path.join(os.path.dirname(self.java[0]), "jcmd")
        out = subprocess.run([tool, str(self.process.pid), "GC.class_histogram"],
                             capture_output=True, text=True).stdout
        total = re.search(r"^Total\s+\d+\s+(\d+)", out, re.M)
        return int(total.group(1)) if total else 0

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def java():
    for home in (os.environ.get("JAVA_HOME"), *sorted(glob.glob("/usr/lib/jvm/*25*"))):
        if home and os.path.exists(home + "/bin/java"):
            version = subprocess.run([home + "/bin/java", "-version"], capture_output=True, text=True)
            if '"25' in version.stderr:
                return home + "/bin/java"
    return "java"


def furnish(service, others=()):
    """Operator and tenant keys; tenant bench and its teams, as no tenant may have over 10,000 open
    leases in a pool, and other teams."""
    admin = service.bootstrap()

    def platform_key(role):
        member, _ = service.call(admin, "POST", "/platform/members", {"name": role, "role": role})
        key, _ = service.call(admin, "POST", "/platform/api-keys", {
            "name": role, "role": role, "owner": member["principal"]})
        return key["key"]

    author, signer = platform_key("operator"), platform_key("operator")
    service.call(admin, "POST", "/tenants", {"slug": "bench"})
    for team in [*(f"team-{team}" for team in range(TEAMS)), *others]:
        service.call(admin, "POST", "/tenants", {"slug": team, "parent": "bench"})
    member, _ = service.call(admin, "POST", "/tenants/bench/members",
                             {"name": "load", "role": "tenant-admin"})
    key, _ = service.call(admin, "POST", "/tenants/bench/api-keys", {
        "name": "load", "role": "member", "owner": member["principal"]})
    return author, signer, key["key"]


def pool(service, author, signer, name, nodes):
    service.call(author, "POST", "/pools", {"slug": name})
    service.call(author, "POST", "/clusters", {
        "slug": name + "-sim", "pool": name, "adapter": "simulated"})
    for start in range(0, nodes, 5000):
        service.call(author, "POST", f"/fleet/imports?cluster={name}-sim", {"nodes": [
            {"name": f"{name}-{i:05d}", "model": "h100", "gpuCount": GPUS_PER_NODE,
             "cpuMilli": 96000, "memoryMiB": 1048576}
            for i in range(start, min(nodes, start + 5000))]})
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    draft, headers = service.call(author, "POST", "/contracts", {
        "pool": name, "tenant": "bench",
        "startTime": (now - datetime.timedelta(hours=1)).isoformat(),
        "endTime": (now + datetime.timedelta(days=30)).isoformat(),
        "entitlements": [{"model": "h100", "guaranteed": nodes * GPUS_PER_NODE}]})
    service.call(signer, "POST", f"/contracts/{draft['id']}/sign",
                 headers={"If-Match": headers["ETag"]})


def load(service, key, script, pool_name, clients, seconds, size=None):
    environment = dict(os.environ, LEASEHOLD_BENCH=HERE, LEASEHOLD_KEY=key, LEASEHOLD_POOL=pool_name,
                       LEASEHOLD_BATCH=str(size or 1))
    path = "/api/v1/leases" if size is None else "/api/v1/leases/batch"
    out = subprocess.run(
        ["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "--timeout", "30s", "--latency",
         "-s", os.path.join(HERE, script), service.base + path],
        env=environment, capture_output=True, text=True).stdout
    found = re.search(
        r"RESULT admitted=(\d+) other=(\d+) rate=(\d+) p50=([\d.]+) p99=([\d.]+)", out)
    if not found:
        sys.exit("wrk: " + out)
    admitted, other, rate = (int(found.group(i)) for i in (1, 2, 3))
    if other:
        print(f"  note: {other} answers were not 201", file=sys.stderr)
    print(f"  {pool_name}: {found.group(0)}", file=sys.stderr)
    return rate, float(found.group(4)), float(found.group(5))


def spaced(text):
    """The same text with a blank where pgbench would take a colon for the start of a variable."""
    return re.sub(r":(?=[A-Za-z0-9_])", ": ", text)


def yardstick(postgres, clients, seconds):
    """pgbench: the rows of one admitted lease, statement by statement, one transaction each."""
    row = json.loads(postgres.sql("leasehold", """
        select row_to_json(r) from (
          select l.ask::text, l.status::text, l.text::text, l.answer::text, b.commands::text,
                 m.payload::text, o.wanted::text
          from audit_fact f join move m using (pool, revision, ord)
          join batch b using (pool, revision)
          join lease l on l.id = f.lease and f.lease_revision = 1
          join cluster_order o on o.lease = l.id and o.kind = 'PUBLISH'
          where l.pool = 'one8' order by l.create_time desc limit 1) r"""))
    q = {k: "'" + spaced(v).replace("'", "''") + "'" for k, v in row.items()}
    script = f"""
\\set n :n + 1
\\set at :n * {clients} + :client_id
\\set unit 1000 * (:at % {GPUS_PER_NODE})
\\set ordinal :at / {GPUS_PER_NODE}
begin;
insert into batch (pool, revision, stamp, epoch, at, commands)
  values ('yard', :at, 1, 1, clock_timestamp(), {q['commands']});
insert into lease (id, pool, tenant, service_class, state, cluster, model, gpu_milli, start_time,
  end_time, create_time, update_time, revision, degraded, labels, created_by, created_by_kind,
  created_by_name, ask, status, text, answer, book_revision)
  values (gen_random_uuid(), 'yard', 'bench', 'batch', 'ALLOCATED', 'yard-sim', 'h100', 1000,
  clock_timestamp(), clock_timestamp() + '1 hour', clock_timestamp(), clock_timestamp(), 1, false,
  '{{}}', gen_random_uuid(), 'api-key', 'load', {q['ask']}, {q['status']}, {q['text']},
  {q['answer']}, 1) returning id \\gset
insert into allocation (pool, lease, slot, node, units, during)
  values ('yard', ':id', 0, ('00000000-0000-7000-8000-' || lpad(to_hex(:ordinal::int), 12, '0'))::uuid,
  int4multirange(int4range(:unit, :unit + 1000)),
  tstzrange(clock_timestamp(), clock_timestamp() + '1 hour'));
insert into occupancy (pool, lease, slot, node, units, fence_epoch, fence_generation)
  values ('yard', ':id', 0, ('00000000-0000-7000-8000-' || lpad(to_hex(:ordinal::int), 12, '0'))::uuid,
  int4multirange(int4range(:unit, :unit + 1000)), 1, 1);
insert into move (pool, revision, ord, payload) values ('yard', :at, 0, {q['payload']});
insert into audit_fact (pool, revision, ord, at, actor, subject, tenant, lease, lease_revision,
  to_state, cause, trace_id)
  values ('yard', :at, 0, clock_timestamp(), gen_random_uuid(), 'lease', 'bench', ':id', 1,
  'ALLOCATED', 'admitted', md5(':id'));
insert into cluster_order (lease, generation, kind, pool, cluster, epoch, create_time, wanted)
  values (':id', 1, 'PUBLISH', 'yard', 'yard-sim', 1, clock_timestamp(), {q['wanted']});
commit;
"""
    # \\gset forbids prepared mode's reuse of the id as a parameter without quotes.
    script = script.replace("':id'", ":id")
    path = os.path.join(postgres.data, "yardstick.sql")
    with open(path, "w") as f:
        f.write(script)
    os.chmod(path, 0o644)
    database = f"yard{clients}"
    schema = postgres.run("pg_dump", "-h", "127.0.0.1", "-p", str(postgres.port), "-U", "postgres",
                          "-s", "leasehold")
    postgres.sql("postgres", f"create database {database}")
    postgres.sql(database, schema)
    postgres.sql(database, """
        set client_min_messages = error;
        insert into pool (slug) values ('yard');
        insert into cluster (slug, pool, adapter, description)
          values ('yard-sim', 'yard', 'simulated', '');
        insert into gpu_model (slug, canonical, aliases, memory_mib, memory_slices, compute_slices,
          profiles, reconfigure_seconds, built_in)
          values ('h100', 'H100', '[]', 81559, 8, 7, '[]', 0, true);
        insert into node (id, pool, cluster, ordinal, name, model, gpu_count, cpu_milli, memory_mib,
          gpus, create_time, update_time)
        select ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'yard', 'yard-sim',
          i, 'y-' || i, 'h100', 8, 96000, 1048576, '[]', now(), now()
        from generate_series(0, 29999) i;
        analyze;""")
    out = postgres.run(
        "pgbench", "-h", "127.0.0.1", "-p", str(postgres.port), "-U", "postgres", "-n",
        "-M", "prepared", "-D", "n=0", "-c", str(clients), "-j", "1", "-T", str(seconds),
        "-f", path, database)
    rate = re.search(r"tps = ([\d.]+)", out)
    failed = re.search(r"number of failed transactions: (\d+)", out)
    if not rate or (failed and int(failed.group(1)) > 0):
        sys.exit("pgbench: " + out)
    return float(rate.group(1))


def measure(postgres, folder, publishing, keys, prefix, seconds):
    """Rates of one start of the service: one by one, and in batches when all is on."""
    service = Service(postgres, folder, publishing)
    try:
        keys = keys or furnish(service)
        author, signer, key = keys
        for name, nodes in (("warm", 12000), ("one1", 3000), ("one8", 6000), ("one32", 8000)):
            pool(service, author, signer, prefix + name, nodes)
        load(service, key, "create.lua", prefix + "warm", 8, WARM_UP)
        before, known = service.heap_after_collection(), leases(postgres)
        rows = {f"{clients}, one by one": load(
            service, key, "create.lua", f"{prefix}one{clients}", clients, seconds)
            for clients in CLIENTS}
        if publishing:
            for clients, nodes in ((1, 10000), (8, 15000)):
                pool(service, author, signer, f"{prefix}many{clients}", nodes)
                rows[f"{clients}, batches of 500"] = load(
                    service, key, "batch.lua", f"{prefix}many{clients}", clients, seconds, 500)
        heap = service.heap_after_collection()
        per_lease = max(0, heap - before) / max(1, leases(postgres) - known)
        return keys, rows, per_lease, heap
    finally:
        service.stop()


def leases(postgres):
    return int(postgres.sql("leasehold", "select count(*) from lease"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=15)
    seconds = parser.parse_args().seconds
    folder = tempfile.mkdtemp(prefix="leasehold-bench-")
    postgres = Postgres(folder)
    try:
        flush = postgres.flush_millis()
        postgres.sql("postgres", "create database leasehold")
        keys, alone, _, _ = measure(postgres, folder, False, None, "", seconds)
        bench = {f"{clients}, one by one": yardstick(postgres, clients, seconds)
                 for clients in CLIENTS}
        _, whole, per_lease, heap = measure(postgres, folder, True, keys, "p-", seconds)
        print("| clients | publishing | decisions/s | p50 ms | p99 ms | pgbench/s | ratio |")
        print("|---|---|---|---|---|---|---|")
        for publishing, rows in (("off", alone), ("on", whole)):
            for clients, (rate, p50, p99) in rows.items():
                compared = (f"{bench[clients]:.0f} | {rate / bench[clients]:.2f}"
                            if clients in bench else " | ")
                print(f"| {clients} | {publishing} | {rate} | {p50:.1f} | {p99:.1f} | {compared} |")
        version = postgres.sql("postgres", "show server_version")
        print(f"\nPostgreSQL {version}, fdatasync {flush:.2f} ms, {os.cpu_count()} cores, "
              f"{seconds} s a row after {WARM_UP} s; heap {per_lease:.0f} bytes a live lease, "
              f"{heap / 2**20:.0f} MiB live at the end.")
    finally:
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
