-- A batch create a call of one-GPU requests that may be preempted; what finds no room is refused.
dofile(os.getenv("LEASEHOLD_BENCH") .. "/answers.lua")

local size = tonumber(os.getenv("LEASEHOLD_BATCH"))
local all = {}
for i = 1, size do
  all[i] = '{"tenant":"team-' .. (i % 12) .. '","pool":"' .. os.getenv("LEASEHOLD_POOL")
    .. '","serviceClass":"opportunistic","gpu":{"count":1},"duration":"PT4H","onShortage":"refuse"}'
end
wrk.body = '{"leases":[' .. table.concat(all, ",") .. ']}'

function response(_, _, body)
  local _, created = body:gsub('"status":201', "")
  admitted = admitted + created
  other = other + (size - created)
end
