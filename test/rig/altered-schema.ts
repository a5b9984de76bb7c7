// Statements of SQL by which the owner of an office's database alters its schema, each with the
// words of `ballastd fleet verify` about it, and what an office changes without a fault.

import { fleetSchema } from "../../src/office/schema.ts";

export type SchemaAlteration = readonly [what: string, alter: string, named: RegExp];

const OWN_DATABASE = (change: string) => `do $do$ begin
  execute format('alter database %I ${change}', current_database()); end $do$;`;

/** In one copy together, since each is of an object of its own. */
export const SCHEMA_TOGETHER: readonly SchemaAlteration[] = [
  [
    "a right to write, for a new role",
    "grant insert on fleet.document to evil",
    /the right of evil on fleet.document isn't of ballastd fleet schema/,
  ],
  [
    "a right to read, for everybody",
    "grant select on fleet.now to public",
    /the right of everybody on fleet.now isn't of/,
  ],
  [
    "a right to read, for ships",
    "grant select on fleet.ship to fleet_ship",
    /the right of fleet_ship on fleet.ship isn't of/,
  ],
  [
    "a right to read, for a ship",
    "grant select on fleet.link to ship_9074729_1",
    /the right of ship_9074729_1 on fleet.link isn't of/,
  ],
  [
    "a right to write a column",
    "grant update (proven) on fleet.document to fleet_reader",
    /the right of fleet_reader on fleet.document.proven isn't of/,
  ],
  [
    "a right to call a function",
    "grant execute on function fleet.add_ship(text, text) to fleet_ship",
    /the right of fleet_ship on fleet.add_ship\(text,text\) isn't of/,
  ],
  [
    "a right to make objects",
    "grant create on schema fleet to evil",
    /the right of evil on fleet isn't of/,
  ],
  [
    "a right taken from readers",
    "revoke select on fleet.fork from fleet_reader",
    /the right of fleet_reader on fleet.fork is missing/,
  ],
  [
    "a right taken from ships",
    "revoke execute on function fleet.put_object(uuid, integer, bytea) from fleet_ship",
    /the right of fleet_ship on fleet.put_object\(uuid,integer,bytea\) is missing/,
  ],
  [
    "rights of what will be made",
    "alter default privileges for role fleet_owner in schema fleet grant all on tables to evil",
    /the default acl for role fleet_owner in schema fleet on tables isn't of/,
  ],
  [
    "an owner",
    "alter table fleet.request owner to evil",
    /the table fleet.request isn't the one of ballastd fleet schema/,
  ],
  [
    "a check",
    "alter table fleet.ship drop constraint ship_ship_check",
    /the constraint ship_ship_check on fleet.ship is missing/,
  ],
  [
    "foreign keys that don't fire",
    "alter table fleet.request disable trigger all",
    /the triggers of foreign keys on fleet.request isn't the one/,
  ],
  [
    "a column more",
    "alter table fleet.document add column evil text",
    /the column fleet.document.evil isn't of/,
  ],
  [
    "a default",
    "alter table fleet.ship alter column added set default 'epoch'",
    /the column fleet.ship.added isn't the one/,
  ],
  [
    "a unique index",
    "drop index fleet.document_verdict",
    /the index fleet.document_verdict is missing/,
  ],
  [
    "an index more",
    "create unique index evil on fleet.instance (ship)",
    /the index fleet.evil isn't of/,
  ],
  [
    "a view's options",
    "alter view fleet.now set (security_barrier = true, security_invoker = true)",
    /the view fleet.now isn't the one/,
  ],
  ["a view more", "create view fleet.heads as select 1 as x", /the view fleet.heads isn't of/],
  [
    "a table more",
    "create table fleet.links (x text); comment on table fleet.links is 'evil'",
    /the table fleet.links isn't of/,
  ],
  [
    "rows added by a table that inherits",
    `create schema evil; create table evil.ship () inherits (fleet.ship);
     insert into evil.ship values ('9176187', 'x', 'x')`,
    /the child evil.ship of fleet.ship isn't of/,
  ],
  [
    "a function of another name",
    "create function fleet.time_of(ms text) returns timestamptz language sql as 'select now()'",
    /the function fleet.time_of\(ms text\) isn't of|the function fleet.time_of\(text\) isn't of/,
  ],
  [
    "an aggregate",
    "create aggregate fleet.most(text) (sfunc = textcat, stype = text)",
    /the function fleet.most\(text\) isn't of/,
  ],
  [
    "an operator",
    "create operator fleet.=== (leftarg = text, rightarg = text, function = texteq)",
    /the operator fleet.===\(.*\) isn't of/,
  ],
  ["a type", "create domain fleet.imo as text", /the type fleet.imo isn't of/],
  [
    "a policy that isn't in force",
    "create policy evil on fleet.request using (false)",
    /the policy evil on fleet.request isn't of/,
  ],
  [
    "rows, by row security",
    "alter table fleet.document enable row level security",
    /the table fleet.document isn't the one/,
  ],
  [
    "a ship's row",
    `set session_replication_role = replica; insert into fleet.branch values
       ('9321483', 'event', 0, 1, now(), gen_random_uuid(), 1, '', 1, now(), gen_random_uuid())`,
    /rows of the ship 9321483, which is no ship of this fleet/,
  ],
];

export const SCHEMA_APART: readonly SchemaAlteration[] = [
  [
    "a check that isn't valid",
    `alter table fleet.ship drop constraint ship_ship_check;
     alter table fleet.ship add constraint ship_ship_check check (ship ~ '^[0-9]{7}$') not valid`,
    /the constraint ship_ship_check on fleet.ship isn't the one/,
  ],
  [
    "a foreign key",
    "alter table fleet.link drop constraint link_ship_instance_fkey",
    /the constraint link_ship_instance_fkey on fleet.link is missing/,
  ],
  [
    "a primary key",
    "alter table fleet.instance drop constraint instance_pkey cascade",
    /the constraint instance_pkey on fleet.instance is missing/,
  ],
  [
    "a column that may be null",
    "alter table fleet.link alter column body drop not null",
    /the column fleet.link.body isn't the one/,
  ],
  [
    "a column's type",
    "alter table fleet.migration alter column applied type timestamp",
    /the column fleet.migration.applied isn't the one/,
  ],
  [
    "a view's column",
    "alter view fleet.now rename column name to vessel",
    /the (view fleet.now isn't|column fleet.now.\w+ is)/,
  ],
  [
    "a table whose rows a view makes",
    `drop table fleet.request cascade; create view fleet.request as
      select '9074729' as ship, 1::bigint as id, '{}'::jsonb as wanted, now() as made`,
    /the table fleet.request is missing/,
  ],
  [
    "a partition elsewhere",
    `alter table fleet.link detach partition fleet.link_3; create schema evil;
     create table evil.link (like fleet.link_3 including all);
     alter table fleet.link attach partition evil.link for values with (modulus 16, remainder 3)`,
    /the child evil.link of fleet.link isn't of/,
  ],
  [
    "a trigger",
    `create function public.none() returns trigger language plpgsql as 'begin return null; end';
     create trigger evil before insert on fleet.request
       for each row execute function public.none()`,
    /the trigger evil on fleet.request isn't of/,
  ],
  [
    "an event trigger",
    `create function public.none() returns event_trigger language plpgsql as 'begin end';
     create event trigger evil on ddl_command_end execute function public.none()`,
    /the event trigger evil/,
  ],
  [
    "an event trigger that undoes what is made beside",
    `alter table fleet.ship drop constraint ship_ship_check;
     create function public.none() returns event_trigger language plpgsql as $$
       declare made record;
       begin
         for made in select * from pg_event_trigger_ddl_commands()
           where object_identity ~ '[.]ship$' and command_tag = 'CREATE TABLE' loop
           drop event trigger evil;
           execute format('alter table %s drop constraint ship_ship_check', made.object_identity);
         end loop;
       end $$;
     create event trigger evil on ddl_command_end execute function public.none()`,
    /the event trigger evil/,
  ],
  [
    "names that are looked up",
    OWN_DATABASE("set search_path = evil, pg_catalog"),
    /the setting search_path=evil, pg_catalog of the database/,
  ],
  [
    "triggers and foreign keys of all sessions",
    OWN_DATABASE("set session_replication_role = replica"),
    /the setting session_replication_role=replica of the database/,
  ],
  [
    "a role of the schema",
    "alter role fleet_reader rename to readers",
    /the schema can't be made beside this one: role "fleet_reader" does not exist/,
  ],
];

export const SCHEMA_INNOCENT: readonly (readonly [what: string, alter: string])[] = [
  ["nothing", "select 1"],
  ["the schema run again", fleetSchema()],
  ["readers by their role", "grant fleet_reader to grafana"],
  [
    "a right to read",
    "grant usage on schema fleet to grafana; grant select on fleet.now to grafana",
  ],
  ["another ship, and one revoked", "select fleet.add_ship('9176187', 'x')"],
  [
    "a request",
    `insert into fleet.request (ship, wanted) values ('9074729',
    '{"from": "2026-05-01T00:00:00Z", "to": "2026-05-02T00:00:00Z"}')`,
  ],
  ["views of the office's own", "create schema own; create view own.x as select * from fleet.now"],
  ["statistics and vacuum", "analyze; vacuum; reindex table fleet.link"],
  ["settings of the database", OWN_DATABASE("set work_mem = 65536")],
];
