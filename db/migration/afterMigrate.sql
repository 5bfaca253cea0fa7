-- Who may do what with the tables, set again after each migration so that no new table is forgotten:
-- the service changes rows, never tables, and what is audited or logged can only be added to (it is
-- cut by dropping whole partitions, which the owner's functions do).
do $$
declare
  kept text;
begin
  -- Replicas that start together take turns: two grants on one table at once are an error.
  perform pg_advisory_xact_lock(hashtext('leasehold-grants'));
  if exists (select from pg_roles where rolname = 'leasehold_app') then
    grant usage on schema public to leasehold_app;
    grant select, insert, update, delete on all tables in schema public to leasehold_app;
    grant usage, select on all sequences in schema public to leasehold_app;
    for kept in
      select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind in ('r', 'p')
         and (c.relname ~ '^(audit_|batch|move|allocation_history)'
              or c.relname in ('flyway_schema_history', 'partitioned', 'min_app_version'))
    loop
      execute format('revoke update, delete on %I from leasehold_app', kept);
    end loop;
    revoke insert on flyway_schema_history, partitioned, min_app_version from leasehold_app;
    grant execute on function prepare_partitions, drop_partitions to leasehold_app;
  end if;
  if exists (select from pg_roles where rolname = 'leasehold_reader') then
    grant usage on schema public to leasehold_reader;
    grant select on all tables in schema public to leasehold_reader;
  end if;
end
$$;
