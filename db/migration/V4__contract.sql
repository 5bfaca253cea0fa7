-- Contracts as people write and sign them, and service classes. What the engine knows of the signed
-- ones is in `fact`.
set local lock_timeout = '5s';

create table contract (
  id uuid primary key,
  pool text not null references pool,
  tenant text not null,
  start_time timestamptz not null,
  end_time timestamptz not null,
  state text not null check (state in ('DRAFT', 'SIGNED', 'TERMINATED')),
  entitlements jsonb not null,
  -- Everybody who wrote on the draft; none of them may sign it.
  authors uuid[] not null,
  created_by_kind text not null,
  created_by_name text not null,
  signed_by_name text,
  sign_time timestamptz,
  terminate_time timestamptz,
  revision bigint not null default 1,
  create_time timestamptz not null default clock_timestamp(),
  update_time timestamptz not null default clock_timestamp(),
  constraint a_contract_lasts check (start_time < end_time),
  constraint a_signed_contract_says_when check ((state = 'DRAFT') = (sign_time is null))
);
create index contract_by_time on contract (create_time desc, id desc);
create index contract_by_tenant on contract (tenant) where state <> 'DRAFT';

create table service_class (
  slug text primary key,
  priority int not null,
  may_preempt boolean not null,
  may_be_preempted boolean not null,
  may_be_open_ended boolean not null,
  minimum_run_seconds bigint not null,
  prepare_seconds bigint not null,
  grace_seconds bigint not null,
  withdraw_allowance_seconds bigint not null,
  aging_after_seconds bigint not null,
  longest_duration_seconds bigint not null,
  horizon_seconds bigint not null,
  revision bigint not null default 1,
  create_time timestamptz not null default clock_timestamp(),
  update_time timestamptz not null default clock_timestamp()
);
