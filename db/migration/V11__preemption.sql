-- How long before its end a lease of a class is told that it is preempted, how many of a tenant's
-- may be preempted within a time, and at which hours none: at most `disruption_most` within
-- `disruption_within_seconds` (both null = any number), and none in `quiet_hours`, each
-- `HH:MM-HH:MM zone`.
set local lock_timeout = '5s';

alter table service_class
  add column notice_seconds bigint not null default 0,
  add column disruption_most int,
  add column disruption_within_seconds bigint,
  add column quiet_hours text[] not null default '{}',
  add constraint a_disruption_budget_says_within_what
    check ((disruption_most is null) = (disruption_within_seconds is null));
