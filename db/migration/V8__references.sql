-- What a table points at is there: nodes lie in a cluster of their own pool and have a known model,
-- contracts have a tenant. Clusters, models and tenants are never deleted, so only the insert pays.
-- The tables of each decision (lease, allocation, the log) stay without: the engine checks them
-- under the pool's lock. A key is found by its principal wherever refusals are shown. And which
-- services may run on this database.
set local lock_timeout = '5s';

create index api_key_by_principal on api_key (principal);

alter table cluster add constraint a_cluster_is_in_one_pool unique (pool, slug);
alter table node
  add constraint a_node_is_in_a_cluster_of_its_pool
    foreign key (pool, cluster) references cluster (pool, slug),
  add constraint a_node_has_a_known_model foreign key (model) references gpu_model;
alter table contract
  add constraint a_contract_has_a_tenant foreign key (tenant) references tenant;

-- One row. A migration that a service of the release before can not live with raises it to the
-- newest migration that a service must bring along; an older service does not start.
create table min_app_version (
  one boolean primary key default true constraint there_is_one_minimum check (one),
  migration int not null,
  release text not null
);
insert into min_app_version (migration, release) values (7, '0.1.0');
