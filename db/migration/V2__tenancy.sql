-- Who is who: tenants, principals, members, keys, groups of an identity provider; what the
-- installation is; and the count of refused calls. Edited rarely, always in the ledger's transaction
-- but for what is only noticed (last use, last groups, refusals).
set local lock_timeout = '5s';

-- One row. A dump of a sample restored into production must not open a door.
create table installation (
  one boolean primary key default true constraint there_is_one_installation check (one),
  kind text not null check (kind in ('sample', 'production')),
  create_time timestamptz not null default clock_timestamp()
);

create table tenant (
  slug text primary key,
  parent text references tenant constraint no_tenant_is_its_own_parent check (parent <> slug),
  name text,
  retired boolean not null default false,
  revision bigint not null default 1,
  create_time timestamptz not null default clock_timestamp(),
  update_time timestamptz not null default clock_timestamp()
);
create index tenant_by_time on tenant (create_time desc, slug desc);

-- Each tenant with itself and all above it; lists join their scope with this.
create table tenant_closure (
  ancestor text not null references tenant,
  descendant text not null references tenant,
  primary key (ancestor, descendant)
);
create index tenant_closure_by_descendant on tenant_closure (descendant, ancestor);

-- What a tenant is called in a cluster: a Slurm account, a Kubernetes group.
create table tenant_identity (
  tenant text not null references tenant,
  cluster text not null,
  kind text not null,
  value text not null,
  primary key (tenant, cluster, kind)
);

-- Everybody who ever acted. Audit facts hold only the id; the name can be erased.
create table principal (
  id uuid primary key,
  kind text not null check (kind in ('user', 'service', 'api-key', 'system')),
  name text not null,
  issuer text,
  subject text,
  groups text[] not null default '{}',
  seen_time timestamptz,
  create_time timestamptz not null default clock_timestamp(),
  constraint a_user_is_known_by_issuer_and_subject unique (issuer, subject),
  check ((issuer is null) = (subject is null))
);

insert into principal (id, kind, name) values
  ('00000000-0000-0000-0000-000000000001', 'system', 'clock'),
  ('00000000-0000-0000-0000-000000000002', 'system', 'cluster'),
  ('00000000-0000-0000-0000-000000000003', 'system', 'system');

-- A role in a tenant and all below it; without a tenant, in the installation.
create table member (
  tenant text references tenant,
  principal uuid not null references principal,
  role text not null,
  create_time timestamptz not null default clock_timestamp(),
  constraint a_role_is_held_once unique nulls not distinct (tenant, principal, role),
  constraint platform_roles_have_no_tenant
    check ((tenant is null) = (role in ('platform-admin', 'operator', 'auditor')))
);
create index member_by_principal on member (principal);

-- Only digests are kept. A key acts as its own principal with what its owner may do now.
create table api_key (
  id uuid primary key,
  mark text not null unique,
  digest bytea not null,
  principal uuid not null references principal,
  owner uuid not null references principal,
  tenant text references tenant,
  role text,
  scopes text[] not null default '{}',
  name text not null,
  create_time timestamptz not null default clock_timestamp(),
  expire_time timestamptz not null,
  revoke_time timestamptz,
  last_used_time timestamptz,
  constraint a_key_ends check (expire_time <= create_time + interval '365 days')
);
create index api_key_by_tenant on api_key (tenant, create_time desc, id desc);
create index api_key_by_owner on api_key (owner);

-- What members of a group of an issuer are.
create table oidc_group (
  id uuid primary key,
  issuer text not null,
  name text not null,
  tenant text references tenant,
  role text not null,
  create_time timestamptz not null default clock_timestamp(),
  constraint a_group_has_a_role_once unique nulls not distinct (issuer, name, tenant, role),
  constraint platform_groups_have_no_tenant
    check ((tenant is null) = (role in ('operator', 'auditor')))
);

-- The first key of an installation, made beside the service; the service writes the audit fact.
create table bootstrap (
  ordinal int primary key,
  name text not null,
  key uuid not null references api_key,
  create_time timestamptz not null default clock_timestamp(),
  audited boolean not null default false
);

-- Refused calls, counted by minute; the first of each is an audit fact too.
create table denied_call (
  minute timestamptz not null,
  principal uuid not null,
  operation text not null,
  status int not null,
  count bigint not null,
  trace_id text not null,
  primary key (minute, principal, operation, status)
);
