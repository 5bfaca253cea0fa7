-- Whether a cluster's inventory is stale: it has been away, or has shown nothing of what is in use,
-- for longer than a bound. Looks that say otherwise do so since an instant; null: the last one agreed.
set local lock_timeout = '5s';

create table cluster_standing (
  cluster text primary key,
  stale boolean not null,
  otherwise_since timestamptz,
  update_time timestamptz not null
);
