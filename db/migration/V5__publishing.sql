-- Publishing: what is still to be done about each order, when each cluster is compared with what is
-- wanted, and the state of simulated clusters, which like a real cluster's outlives our process and
-- is the same for every replica.
set local lock_timeout = '5s';

-- One row for each order from its commit to the cluster's confirmation; so the table stays small,
-- whatever has been delivered before. `due_time` in the future is also the claim of a worker: one
-- that dies loses its orders when that instant comes. `claim` tells a worker whether it is still its.
create table delivery (
  lease uuid not null,
  generation int not null,
  kind text not null,
  pool text not null,
  cluster text not null,
  state text not null default 'DUE',
  due_time timestamptz not null,
  claim int not null default 0,
  failures int not null default 0,
  fault text,
  sent_time timestamptz,
  create_time timestamptz not null,
  update_time timestamptz not null,
  primary key (lease, generation, kind),
  constraint a_delivery_is_due_sent_or_parked check (state in ('DUE', 'SENT', 'PARKED'))
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 5000
);
create index delivery_due on delivery (cluster, due_time) where state <> 'PARKED';
create index delivery_parked on delivery (create_time desc, lease desc) where state = 'PARKED';

-- An order and its delivery come into being in one commit, so that no reader can miss an order that
-- was committed late. Rows are new: nothing here waits for a worker.
create function order_becomes_due() returns trigger language plpgsql as $$
begin
  insert into delivery (lease, generation, kind, pool, cluster, due_time, create_time, update_time)
  select lease, generation, kind, pool, cluster, create_time, create_time, create_time from fresh;
  return null;
end
$$;
create trigger an_order_becomes_due after insert on cluster_order
  referencing new table as fresh for each statement execute function order_becomes_due();

-- When a cluster is next compared with what is wanted; the replica that moves the instant does it.
create table comparison (
  cluster text primary key,
  due_time timestamptz not null
);

-- Withdrawals that no end ordered: at most so many in so long (the breaker counts these).
create table orphan_withdrawal (
  cluster text not null,
  lease uuid not null,
  at timestamptz not null,
  primary key (cluster, at, lease)
);

-- The faults and latencies of a simulated cluster.
create table simulation (
  cluster text primary key,
  body jsonb not null,
  revision bigint not null default 1,
  update_time timestamptz not null default clock_timestamp()
);

-- What a simulated cluster has. A withdrawn object stays for a while as the mark of its fence.
create table simulated_object (
  cluster text not null,
  lease uuid not null,
  ours boolean not null default true,
  epoch int not null,
  generation int not null,
  wanted text not null check (wanted in ('PUBLISH', 'WITHDRAW')),
  ready_time timestamptz not null,
  primary key (cluster, lease)
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);
create index simulated_object_gone on simulated_object (ready_time) where wanted = 'WITHDRAW';
