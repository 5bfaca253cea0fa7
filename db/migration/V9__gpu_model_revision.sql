-- GPU models can be changed, with the revision that was seen. A release that does not know of that
-- leaves the revision as it is, and never changes a model.
set local lock_timeout = '5s';

alter table gpu_model
  add column revision bigint not null default 1,
  add column update_time timestamptz not null default clock_timestamp();
