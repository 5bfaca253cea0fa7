-- One lease request a call: one whole GPU for an hour, the teams in turn. Counts what is not 201.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("LEASEHOLD_KEY")

local pool = os.getenv("LEASEHOLD_POOL")
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  admitted = 0
  other = 0
  turn = 0
end

function request()
  turn = turn + 1
  return wrk.format(nil, nil, nil, '{"tenant":"team-' .. (turn % 12) .. '","pool":"' .. pool
    .. '","serviceClass":"batch","gpu":{"count":1},"duration":"PT1H"}')
end

function response(status, headers, body)
  if status == 201 then
    admitted = admitted + 1
  else
    other = other + 1
  end
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
