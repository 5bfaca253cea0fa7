-- Capacity set aside: what was asked for, and each time of it as the engine booked it. The ledger
-- writes `occurrence`, and its undrawn devices into `allocation`, so that the constraint there guards
-- them like those of a lease.
set local lock_timeout = '5s';

create table reservation (
  id uuid primary key,
  pool text not null references pool,
  tenant text not null,
  -- As it was asked for, with every default, so that later times of a series can be made of it.
  request json not null,
  recurring boolean not null,
  -- Every time of the series that starts before this has been made.
  made_until timestamptz not null,
  cancel_time timestamptz,
  created_by_kind text not null,
  created_by_name text not null,
  revision bigint not null default 1,
  create_time timestamptz not null default clock_timestamp(),
  update_time timestamptz not null default clock_timestamp()
);
create index reservation_by_time on reservation (create_time desc, id desc);
create index reservation_by_tenant on reservation (tenant, create_time desc, id desc);
create index reservation_in_progress on reservation (made_until) where recurring and cancel_time is null;

create table occurrence (
  id uuid primary key,
  pool text not null references pool,
  reservation uuid not null,
  tenant text not null,
  original_start timestamptz not null,
  start_time timestamptz not null,
  end_time timestamptz not null,
  state text not null,
  revision bigint not null,
  body json not null,
  create_time timestamptz not null,
  update_time timestamptz not null,
  live boolean not null generated always as (state = 'BOOKED') stored,
  constraint an_occurrence_is_known_by_its_start unique (reservation, original_start)
);
create index occurrence_live on occurrence (pool) where live;

create index lease_by_reservation on lease ((ask ->> 'reservation'), create_time desc, id desc)
  where (ask ->> 'reservation') is not null;
