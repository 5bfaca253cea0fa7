-- When the holder of a lease was last heard from. Beside the log: a sign of life changes nothing of
-- the lease, only silence does. Room in each page, and no index on what changes, so that a row is
-- written in its place.
set local lock_timeout = '5s';

-- One for each lease with a time-out, from its creation on.
create table heartbeat (
  lease uuid primary key,
  seen_time timestamptz not null default clock_timestamp(),
  -- In microseconds; it never changes.
  timeout bigint not null,
  -- The lease ends for silence: who comes now is too late.
  closed boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
