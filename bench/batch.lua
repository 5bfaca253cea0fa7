-- A batch create a call, LEASEHOLD_BATCH one-GPU requests in each, the teams in turn; LEASEHOLD_TERMS
-- says on which terms.
dofile(os.getenv("LEASEHOLD_BENCH") .. "/answers.lua")

local size = tonumber(os.getenv("LEASEHOLD_BATCH"))
local terms = os.getenv("LEASEHOLD_TERMS") or '"serviceClass":"batch","duration":"PT1H"'
local all = {}
for i = 1, size do
  all[i] = '{"tenant":"team-' .. (i % 12) .. '","pool":"' .. os.getenv("LEASEHOLD_POOL")
    .. '","gpu":{"count":1},' .. terms .. '}'
end
wrk.body = '{"leases":[' .. table.concat(all, ",") .. ']}'

function response(_, _, body)
  local _, created = body:gsub('"status":201', "")
  admitted = admitted + created
  other = other + (size - created)
end
