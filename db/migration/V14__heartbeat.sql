-- When the holder of a lease was last heard from. Beside the log: a sign of life changes nothing of
-- the lease, only silence does. Room in each page, and no index on what changes, so that a row is
-- written in its place.
set local lock_timeout = '5s';

create table heartbeat (
  lease uuid primary key,
  seen_time timestamptz not null,
  -- The lease ends for silence: who comes now is too late.
  closed boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

create index lease_with_heartbeat on lease (id)
  where live and (ask ->> 'heartbeatTimeout') is not null;
