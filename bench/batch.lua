-- A batch create a call, LEASEHOLD_BATCH one-GPU requests in each, the teams in turn.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("LEASEHOLD_KEY")

local size = tonumber(os.getenv("LEASEHOLD_BATCH"))
local pool = os.getenv("LEASEHOLD_POOL")
local all = {}
for i = 1, size do
  all[i] = '{"tenant":"team-' .. (i % 12) .. '","pool":"' .. pool
    .. '","serviceClass":"batch","gpu":{"count":1},"duration":"PT1H"}'
end
wrk.body = '{"leases":[' .. table.concat(all, ",") .. ']}'

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  admitted = 0
  other = 0
end

function response(status, headers, body)
  local _, created = body:gsub('"status":201', "")
  admitted = admitted + created
  other = other + (size - created)
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
