-- The committed path: pools and their log, leases, promise and possession, idempotency keys, orders,
-- audit facts. Only the ledger writes these tables, but for `node`, which the fleet writes in the
-- ledger's transaction.
set local lock_timeout = '5s';

create extension if not exists btree_gist;

-- The engine counts microseconds since the epoch and knows "no end" as the largest bigint. Exact both
-- ways, whatever the session's zone.
create function micros(at timestamptz) returns bigint language sql immutable strict parallel safe
  return case when at = 'infinity' then 9223372036854775807
              else (extract(epoch from at) * 1000000)::bigint end;
create function instant(micros bigint) returns timestamptz language sql stable strict parallel safe
  return case when micros = 9223372036854775807 then timestamptz 'infinity'
              else timestamptz 'epoch' + (micros / 1000000) * interval '1 second'
                   + (micros % 1000000) * interval '1 microsecond' end;

-- The scheduling domain. The row is the lock that makes decisions one at a time. The pool named '-'
-- is the administration's: tenants, members, keys; it has no book.
create table pool (
  slug text primary key,
  ordinal int generated always as identity unique,
  revision bigint not null default 0,
  stamp bigint not null default 0,
  epoch int not null default 1,
  decided_at timestamptz not null default clock_timestamp(),
  log_floor bigint not null default 0,
  state text not null default 'OPEN',
  create_time timestamptz not null default clock_timestamp()
);

insert into pool (slug) values ('-');

-- What the book of a pool knows beside leases: one row for each node, model, class, tenant, contract,
-- cluster and usage history, as the engine's record in JSON. Written from the moves.
create table fact (
  pool text not null references pool,
  kind text not null,
  key text not null,
  body json not null,
  revision bigint not null,
  primary key (pool, kind, key)
);

create table node (
  id uuid primary key,
  pool text not null references pool,
  cluster text not null,
  ordinal int not null,
  name text not null,
  model text not null,
  gpu_count int not null,
  unit_count int generated always as (gpu_count * 1000) stored,
  cpu_milli bigint not null,
  memory_mib bigint not null,
  region text,
  zone text,
  block text,
  rack text,
  nvlink text,
  gpus jsonb not null,
  drain_deadline timestamptz,
  retired boolean not null default false,
  revision bigint not null default 1,
  create_time timestamptz not null,
  update_time timestamptz not null,
  unique (pool, id),
  constraint an_ordinal_is_never_used_again unique (pool, ordinal)
);
create unique index one_live_node_per_name on node (cluster, name) where not retired;

create table lease (
  id uuid primary key,
  pool text not null references pool,
  tenant text not null,
  service_class text not null,
  state text not null,
  cluster text,
  model text,
  gpu_milli bigint not null,
  start_time timestamptz,
  end_time timestamptz,
  create_time timestamptz not null,
  update_time timestamptz not null,
  revision bigint not null,
  degraded boolean not null,
  owner text,
  labels jsonb not null,
  created_by uuid not null,
  created_by_kind text not null,
  created_by_name text not null,
  ask json not null,
  status json not null,
  text json not null,
  answer json not null,
  book_revision bigint not null,
  -- Not final. A column of its own, so that a move among live states touches no index.
  live boolean not null generated always as (state not in ('ENDED', 'REFUSED', 'CANCELLED')) stored
) with (fillfactor = 70);
create index lease_by_time on lease (create_time desc, id desc);
create index lease_by_tenant on lease (tenant, create_time desc, id desc);
create index lease_by_update on lease using brin (update_time);
create index lease_live on lease (pool) where live;
create index lease_by_label on lease using gin (labels jsonb_path_ops) where labels <> '{}'::jsonb;

-- The promise: what nobody else gets over the hold. Live rows only.
create table allocation (
  pool text not null,
  lease uuid not null,
  slot int not null,
  node uuid not null,
  units int4multirange not null,
  during tstzrange not null,
  primary key (lease, slot),
  foreign key (pool, node) references node (pool, id),
  constraint an_allocation_has_units check (not isempty(units) and lower(units) >= 0),
  constraint an_allocation_lasts check (not isempty(during) and lower_inc(during) and not upper_inc(during)),
  constraint one_lease_per_unit_at_a_time
    exclude using gist (node with =, units with &&, during with &&)
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 20000
);

-- What was promised and is over; for reports and metering.
create table allocation_history (
  pool text not null,
  lease uuid not null,
  slot int not null,
  node uuid not null,
  units int4multirange not null,
  during tstzrange not null,
  ended_at timestamptz not null,
  cause text not null
) partition by range (ended_at);
create table allocation_history_default partition of allocation_history default;

-- The possession: what a cluster has in its hands, from the publish order to the confirmed
-- withdrawal, whatever the promise says.
create table occupancy (
  pool text not null,
  lease uuid not null,
  slot int not null,
  node uuid not null,
  units int4multirange not null,
  fence_epoch int not null,
  fence_generation int not null,
  primary key (lease, slot),
  constraint an_occupancy_has_units check (not isempty(units)),
  constraint one_lease_in_possession_of_a_unit exclude using gist (node with =, units with &&)
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 20000
);

-- The log that replicas follow. A revision is one committed batch.
create table batch (
  pool text not null,
  revision bigint not null,
  stamp bigint not null,
  epoch int not null,
  at timestamptz not null,
  commands json not null,
  primary key (pool, revision)
);

create table move (
  pool text not null,
  revision bigint not null,
  ord int not null,
  payload json not null,
  primary key (pool, revision, ord)
);

-- Who moved what and why; one row for each move, in its transaction. Also what events are made of.
create table audit_fact (
  pool text not null,
  revision bigint not null,
  ord int not null,
  at timestamptz not null,
  actor uuid not null,
  subject text not null,
  tenant text,
  lease uuid,
  lease_revision bigint,
  from_state text,
  to_state text,
  cause text not null,
  trace_id text not null,
  primary key (pool, revision, ord)
);
create index audit_fact_by_lease on audit_fact (lease, lease_revision) where lease is not null;
create index audit_fact_by_time on audit_fact (at);

-- One effect per key, over all pools: claimed under the pool's lock before the engine is asked.
create table idempotency_key (
  scope text not null,
  value text not null,
  pool text not null,
  fingerprint text not null,
  reply json,
  create_time timestamptz not null default clock_timestamp(),
  primary key (scope, value)
);
create index idempotency_key_by_time on idempotency_key (create_time);

-- What an adapter is told to make true. Delivery (attempts, parking) is publishing's own table.
create table cluster_order (
  lease uuid not null,
  generation int not null,
  kind text not null check (kind in ('PUBLISH', 'WITHDRAW')),
  pool text not null,
  cluster text not null,
  epoch int not null,
  create_time timestamptz not null,
  wanted json not null,
  primary key (lease, generation, kind)
);
