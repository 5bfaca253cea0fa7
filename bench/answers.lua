-- Counts what was admitted, and prints one line that run.py reads.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function done(summary, latency, requests)
  local admitted, other = 0, 0
  for _, thread in ipairs(threads) do
    admitted = admitted + thread:get("admitted")
    other = other + thread:get("other")
  end
  io.write(string.format("RESULT admitted=%d other=%d rate=%.0f p50=%.2f p99=%.2f\n",
    admitted, other, admitted / (summary.duration / 1e6),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end

admitted = 0
other = 0
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("LEASEHOLD_KEY")
