#!/usr/bin/env python3
"""Measures the latency of real-time requests that preempt, while batch work saturates what is left.

    mvn -DskipTests package && python3 bench/realtime.py [--rate 500] [--seconds 20] [--quiet]

Fills a pool with one-GPU leases that may be preempted and keeps asking for more of them in batches.
Then real-time requests of one GPU come at a fixed rate, whatever the service does with those before
(open loop): each is timed from the instant at which it was due to its answer, which is committed.
Needs what run.py needs. `--quiet` leaves out the batch work beside them.
"""

import argparse
import asyncio
import collections
import datetime
import gc
import json
import os
import shutil
import subprocess
import tempfile
import time

import run

WARM_UP = 10
CONNECTIONS = 128
ONLINE = 8
OFFLINE = '"serviceClass":"opportunistic","duration":"PT4H","onShortage":"refuse"'
BATCH = 100


class Connection:
    """HTTP/1.1, one request after the other."""

    def __init__(self, port):
        self.port = port
        self.reader = self.writer = None

    async def post(self, request):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        fields = head.lower()
        if b"transfer-encoding: chunked" in fields:
            body = b""
            while True:
                size = int(await self.reader.readuntil(b"\r\n"), 16)
                body += (await self.reader.readexactly(size + 2))[:-2]
                if size == 0:
                    break
        else:
            length = fields.split(b"content-length:")[1].split(b"\r\n")[0]
            body = await self.reader.readexactly(int(length))
        if b"connection: close" in fields:
            self.writer.close()
            self.writer = None
        return int(head.split(b" ", 2)[1]), body


class OpenLoop:
    """Requests at a fixed rate; one that finds no connection free waits, and its clock runs."""

    def __init__(self, service, key, pool):
        self.requests = []
        for team in range(ONLINE):
            body = json.dumps({"tenant": f"online-{team}", "pool": pool, "serviceClass": "realtime",
                               "gpu": {"count": 1}, "duration": "PT1H"}).encode()
            self.requests.append(
                (f"POST /api/v1/leases HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
                 f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode()
                + body)
        self.idle = asyncio.LifoQueue()
        for _ in range(CONNECTIONS):
            self.idle.put_nowait(Connection(service.port))
        self.millis = []
        self.verdicts = collections.Counter()

    async def one(self, number, due, counted):
        connection = await self.idle.get()
        status, body = await connection.post(self.requests[number % ONLINE])
        if counted:
            self.millis.append((time.perf_counter() - due) * 1000)
            verdict = json.loads(body).get("decision", {}).get("verdict", "none")
            self.verdicts[f"{status} {verdict}"] += 1
        self.idle.put_nowait(connection)

    async def run(self, rate, seconds):
        start = time.perf_counter()
        tasks = []
        for number in range(int(rate * (WARM_UP + seconds))):
            due = start + number / rate
            wait = due - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            counted = number >= rate * WARM_UP
            tasks.append(asyncio.create_task(self.one(number, due, counted)))
        await asyncio.gather(*tasks)

    def percentile(self, percent):
        ordered = sorted(self.millis)
        return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def furnish(service, name, nodes):
    """A pool that is guaranteed to the online teams in equal parts; the others borrow it."""
    online = [f"online-{team}" for team in range(ONLINE)]
    author, signer, key = run.furnish(service, online)
    run.pool(service, author, signer, name, nodes)
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    for team in online:
        draft, headers = service.call(author, "POST", "/contracts", {
            "pool": name, "tenant": team,
            "startTime": (now - datetime.timedelta(minutes=30)).isoformat(),
            "endTime": (now + datetime.timedelta(days=29)).isoformat(),
            "entitlements": [
                {"model": "h100", "guaranteed": nodes * run.GPUS_PER_NODE // ONLINE}]})
        service.call(signer, "POST", f"/contracts/{draft['id']}/sign",
                     headers={"If-Match": headers["ETag"]})
    return key


def fill(service, key, pool, nodes):
    """Every GPU of the pool to work that may be preempted."""
    left = nodes * run.GPUS_PER_NODE
    team = 0
    while left > 0:
        size = min(500, left)
        service.call(key, "POST", "/leases/batch", {"leases": [
            {"tenant": f"team-{(team + i) % run.TEAMS}", "pool": pool,
             "serviceClass": "opportunistic", "gpu": {"count": 1}, "duration": "PT4H"}
            for i in range(size)]})
        left -= size
        team += size


def batch_work(service, key, pool, seconds):
    environment = dict(os.environ, LEASEHOLD_BENCH=run.HERE, LEASEHOLD_KEY=key,
                       LEASEHOLD_POOL=pool, LEASEHOLD_BATCH=str(BATCH),
                       LEASEHOLD_TERMS=OFFLINE)
    return subprocess.Popen(
        ["wrk", "-t1", "-c2", f"-d{seconds}s", "--timeout", "30s", "--latency",
         "-s", os.path.join(run.HERE, "batch.lua"), service.base + "/api/v1/leases/batch"],
        env=environment, stdout=subprocess.PIPE, text=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    asked = options.rate * (WARM_UP + options.seconds)
    nodes = -(-asked * 11 // 10 // run.GPUS_PER_NODE // ONLINE) * ONLINE
    folder = tempfile.mkdtemp(prefix="leasehold-bench-")
    postgres = run.Postgres(folder)
    try:
        postgres.sql("postgres", "create database leasehold")
        service = run.Service(postgres, folder, True)
        try:
            measure(options, postgres, service, nodes)
        finally:
            service.stop()
    finally:
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


def measure(options, postgres, service, nodes):
    key = furnish(service, "mixed", nodes)
    fill(service, key, "mixed", nodes)
    beside = None
    if not options.quiet:
        beside = batch_work(service, key, "mixed", WARM_UP + options.seconds + 5)

    async def load():
        loop = OpenLoop(service, key, "mixed")
        await loop.run(options.rate, options.seconds)
        return loop

    gc.disable()  # else a collection of our own would be counted as the service's
    loop = asyncio.run(load())
    if beside is not None:
        print("batch beside it:", beside.communicate()[0].strip().splitlines()[-1])
    preempted = postgres.sql("leasehold", "select count(*) from audit_fact where cause = 'preempted'")
    print(f"{options.rate}/s real time over {options.seconds} s, {nodes} nodes: "
          f"p50 {loop.percentile(50):.1f} ms, p99 {loop.percentile(99):.1f} ms, "
          f"most {max(loop.millis):.1f} ms; {dict(loop.verdicts)}; "
          f"{preempted} leases ended for them (warm-up included)")


if __name__ == "__main__":
    main()
