-- One lease request a call: one whole GPU for an hour, the teams in turn.
dofile(os.getenv("LEASEHOLD_BENCH") .. "/answers.lua")

local pool = os.getenv("LEASEHOLD_POOL")
local turn = 0

function request()
  turn = turn + 1
  return wrk.format(nil, nil, nil, '{"tenant":"team-' .. (turn % 12) .. '","pool":"' .. pool
    .. '","serviceClass":"batch","gpu":{"count":1},"duration":"PT1H"}')
end

function response(status)
  if status == 201 then
    admitted = admitted + 1
  else
    other = other + 1
  end
end
