-- What the fleet's doors show beside the nodes: descriptions of pools, clusters, GPU models and the
-- names they go by. The engine's view of the same things is in `fact`.
set local lock_timeout = '5s';

create table pool_profile (
  pool text primary key references pool,
  description text not null,
  revision bigint not null default 1,
  create_time timestamptz not null default clock_timestamp(),
  update_time timestamptz not null default clock_timestamp()
);

create table cluster (
  slug text primary key,
  pool text not null references pool,
  adapter text not null,
  settings jsonb not null default '{}',
  paused boolean not null default false,
  description text not null,
  revision bigint not null default 1,
  create_time timestamptz not null default clock_timestamp(),
  update_time timestamptz not null default clock_timestamp()
);
create index cluster_by_pool on cluster (pool);

create table gpu_model (
  slug text primary key,
  canonical text not null,
  aliases jsonb not null,
  memory_mib int not null,
  memory_slices int not null,
  compute_slices int not null,
  profiles jsonb not null,
  reconfigure_seconds int not null,
  built_in boolean not null,
  create_time timestamptz not null default clock_timestamp()
);

-- Slug, canonical name and aliases in lower case: a name means one model, for ever.
create table gpu_model_name (
  name text primary key,
  model text not null references gpu_model
);

-- Unique over all pools and never used again, so also unique in each; a change that fails leaves a gap.
create sequence node_ordinal as int minvalue 0;

alter table node add column drain_reason text;
create index node_by_cluster on node (cluster, create_time desc, id desc);
-- Followers of the nodes ask what was set after the revision that they have seen.
create index fact_of_nodes_by_revision on fact (pool, revision) where kind = 'node';

-- What was answered to a change of nodes, for a repeated idempotency key.
create table fleet_reply (
  scope text not null,
  value text not null,
  reply json not null,
  create_time timestamptz not null default clock_timestamp(),
  primary key (scope, value)
);
create index fleet_reply_by_time on fleet_reply (create_time);
