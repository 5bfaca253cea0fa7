-- The roles of a database of Leasehold, run once by a superuser before the first migration; may be
-- run again. Passwords are set afterwards, by whoever creates the database.
-- owner: migrations. app: the service, rows only. reader: reports, reading only.
do $$
declare
  name text;
begin
  foreach name in array array['leasehold_owner', 'leasehold_app', 'leasehold_reader'] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I login', name);
    end if;
  end loop;
end
$$;
