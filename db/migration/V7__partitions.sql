-- The log, the audit facts and what was promised before grow with every batch and are kept for a
-- time only: they are cut by dropping partitions, since deleting rows costs as much as writing them
-- and leaves the space behind. The service may not change tables; two functions of the owner do for
-- it exactly this: make the partitions of the next days, drop those that are old enough.
set local lock_timeout = '5s';

create table partitioned (
  name text primary key,
  time_column text not null,
  step text not null check (step in ('day', 'month')),
  -- How many steps beyond the present one are made ahead.
  ahead int not null,
  -- Nothing younger is dropped, whatever the service asks for: it can not make its traces vanish.
  -- To keep less, the owner changes this row.
  least_kept interval not null
);
insert into partitioned (name, time_column, step, ahead, least_kept) values
  ('batch', 'at', 'day', 3, '0'),
  ('move', 'at', 'day', 3, '0'),
  ('audit_fact', 'at', 'month', 2, '400 days'),
  ('allocation_history', 'ended_at', 'month', 2, '400 days');

-- The partition of an instant, unless it is there. Rows of its span that lie in the default
-- partition move over, else the two could not stand side by side. Attaching does not stop writers.
create function make_partition(parent text, instant_within timestamptz) returns boolean
language plpgsql as $$
declare
  rule partitioned := (select p from partitioned p where p.name = parent);
  local_start timestamp := date_trunc(rule.step, instant_within at time zone 'UTC');
  starts timestamptz := local_start at time zone 'UTC';
  ends timestamptz := (local_start + ('1 ' || rule.step)::interval) at time zone 'UTC';
  child text := parent || '_p'
    || to_char(local_start, case rule.step when 'day' then 'YYYYMMDD' else 'YYYYMM' end);
  others text := parent || '_default';
  misplaced boolean;
begin
  if to_regclass(child) is not null then
    return false;
  end if;
  execute format('create table %I (like %I including all)', child, parent);
  execute format('select exists (select from %I where %I >= $1 and %2$I < $2)', others,
    rule.time_column) into misplaced using starts, ends;
  if misplaced then
    execute format('lock table %I in access exclusive mode', others);
    execute format('insert into %I select * from %I where %I >= $1 and %3$I < $2', child, others,
      rule.time_column) using starts, ends;
    execute format('delete from %I where %I >= $1 and %2$I < $2', others, rule.time_column)
      using starts, ends;
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child,
    starts, ends);
  return true;
end
$$;

-- The partitions of the present, of the steps ahead, and of whatever lies in a default partition.
-- Returns how many were made; none while another replica is at it.
create function prepare_partitions() returns int
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '500ms'
as $$
declare
  rule partitioned;
  each_start timestamptz;
  made int := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('leasehold-partitions')) then
    return 0;
  end if;
  for rule in select * from partitioned order by name loop
    for each_start in execute format(
        'select now() + n * %L::interval from generate_series(0, %s) n
         union select distinct date_trunc(%L, %I, ''UTC'') from %I',
        '1 ' || rule.step, rule.ahead, rule.step, rule.time_column, rule.name || '_default') loop
      if make_partition(rule.name, each_start) then
        made := made + 1;
      end if;
    end loop;
  end loop;
  return made;
end
$$;

-- Drops the partitions of one table that end at or before an instant, and returns how many.
create function drop_partitions(parent text, before timestamptz) returns int
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '500ms'
as $$
declare
  rule partitioned := (select p from partitioned p where p.name = parent);
  bound timestamptz := least(before, clock_timestamp() - rule.least_kept);
  child text;
  dropped int := 0;
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass(rule.name) and c.relname ~ '_p[0-9]+$'
       and (to_date(substring(c.relname from '[0-9]+$'), 'YYYYMMDD')::timestamp
            + ('1 ' || rule.step)::interval) at time zone 'UTC' <= bound
     order by c.relname
  loop
    execute format('drop table %I', child);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;

revoke all on function make_partition, prepare_partitions, drop_partitions from public;

-- What is there moves over. The time becomes part of each key, since a partition keeps only its own
-- keys apart; that a revision comes once is kept by the pool's row, which each batch raises.
alter table batch rename to batch_before;
alter table batch_before drop constraint batch_pkey;
create table batch (
  pool text not null,
  revision bigint not null,
  stamp bigint not null,
  epoch int not null,
  at timestamptz not null,
  commands json not null,
  primary key (pool, revision, at)
) partition by range (at);
create table batch_default partition of batch default;

-- The default lets a service of the release before write on beside this one.
alter table move rename to move_before;
alter table move_before drop constraint move_pkey;
create table move (
  pool text not null,
  revision bigint not null,
  ord int not null,
  payload json not null,
  at timestamptz not null default clock_timestamp(),
  primary key (pool, revision, ord, at)
) partition by range (at);
create table move_default partition of move default;

alter table audit_fact rename to audit_fact_before;
alter table audit_fact_before drop constraint audit_fact_pkey;
drop index audit_fact_by_lease, audit_fact_by_time;
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
  primary key (pool, revision, ord, at)
) partition by range (at);
create index audit_fact_by_lease on audit_fact (lease, lease_revision) where lease is not null;
create index audit_fact_by_time on audit_fact (at);
create table audit_fact_default partition of audit_fact default;

-- Before the rows come, so that each finds its partition at once.
do $$
declare
  step record;
begin
  for step in select distinct date_trunc('day', at, 'UTC') as starts from batch_before loop
    perform make_partition('batch', step.starts), make_partition('move', step.starts);
  end loop;
  for step in select distinct date_trunc('month', at, 'UTC') as starts from audit_fact_before loop
    perform make_partition('audit_fact', step.starts);
  end loop;
  perform prepare_partitions();
end
$$;

insert into batch (pool, revision, stamp, epoch, at, commands)
select pool, revision, stamp, epoch, at, commands from batch_before order by pool, revision;
insert into move (pool, revision, ord, payload, at)
select m.pool, m.revision, m.ord, m.payload, b.at
  from move_before m join batch_before b on b.pool = m.pool and b.revision = m.revision
 order by m.pool, m.revision, m.ord;
insert into audit_fact (pool, revision, ord, at, actor, subject, tenant, lease, lease_revision,
  from_state, to_state, cause, trace_id)
select pool, revision, ord, at, actor, subject, tenant, lease, lease_revision, from_state, to_state,
  cause, trace_id from audit_fact_before order by pool, revision, ord;
drop table batch_before, move_before, audit_fact_before;
