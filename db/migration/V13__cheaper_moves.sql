-- A move costs what it writes. Two things made it dearer than that: functions that every statement
-- planned anew, and an index that every move of a lease touched.
set local lock_timeout = '5s';

-- As before, but not `strict`, so that the planner puts the body where the call stands. A function
-- that it only calls is planned in each statement: about as long as the whole insert of a lease.
create or replace function instant(micros bigint) returns timestamptz
  language sql stable parallel safe
  return case when micros = 9223372036854775807 then timestamptz 'infinity'
              else timestamptz 'epoch' + (micros / 1000000) * interval '1 second'
                   + (micros % 1000000) * interval '1 microsecond' end;
create or replace function micros(at timestamptz) returns bigint
  language sql stable parallel safe
  return case when at = 'infinity' then 9223372036854775807
              else (extract(epoch from at) * 1000000)::bigint end;

-- Up to PostgreSQL 15 a row whose `update_time` is in any index can not be updated in its page
-- alone: each move wrote all indexes. This one found little: leases of one page do not move at one
-- time.
drop index lease_by_update;

-- A lease moves to ACTIVE soon after it came: room in its page for the new row of each. The space is
-- used again by the moves that end it.
alter table lease set (fillfactor = 50);
