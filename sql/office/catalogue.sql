-- Statements that read PostgreSQL's catalogue for the proof of the schema.

-- name: office.catalogue
-- All that the catalogue says of a schema, a row for each object, but for where its data lies and
-- what is computed of it. Rights to read that an office gives to further roles are its own.
with place as (
  select oid, nspname, nspowner, nspacl from pg_namespace where nspname = $1
), relation as (
  select pg_class.*, pg_class.oid::regclass::text as title
  from pg_class join place on relnamespace = place.oid
), routine as (
  select pg_proc.*, pg_proc.oid::regprocedure::text as title
  from pg_proc join place on pronamespace = place.oid
), granted as (
  select quote_ident(nspname) as title, nspowner as owner,
    coalesce(nspacl, acldefault('n', nspowner)) as rights from place
  union all
  select title, relowner,
    coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner))
  from relation where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  union all
  select format('%s.%I', title, attname), relowner, attacl
  from relation join pg_attribute on attrelid = relation.oid where not attisdropped
  union all
  select title, proowner, coalesce(proacl, acldefault('f', proowner)) from routine
)
select case relkind
    when 'v' then 'view' when 'i' then 'index' when 'I' then 'index' when 'S' then 'sequence'
    when 'c' then 'type' when 'f' then 'foreign table' when 'm' then 'materialized view'
    else 'table'
  end as kind, title as name,
  concat_ws(' ', relkind, relowner::regrole, amname, relpersistence, reloptions::text,
    relrowsecurity, relforcerowsecurity, indisvalid, indisready, indislive,
    pg_get_partkeydef(relation.oid), pg_get_expr(relpartbound, relation.oid),
    pg_get_indexdef(indexrelid), pg_get_viewdef(relation.oid),
    seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle) as definition
from relation left join pg_am on pg_am.oid = relam
left join pg_index on indexrelid = relation.oid
left join pg_sequence on seqrelid = relation.oid
union all
select 'column', format('%s.%I', title, attname),
  concat_ws(' ', format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull,
    attidentity, attgenerated, attstorage, attoptions::text,
    pg_get_expr(adbin, adrelid))
from relation join pg_attribute on attrelid = relation.oid
left join pg_attrdef on adrelid = attrelid and adnum = attnum
where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'v', 'm', 'f', 'c')
union all
select 'constraint', format('%I on %s', conname, title),
  concat_ws(' ', pg_get_constraintdef(pg_constraint.oid), convalidated)
from relation join pg_constraint on conrelid = relation.oid
union all
select 'child', format('%s of %s', inhrelid::regclass, title), ''
from relation join pg_inherits on inhparent = relation.oid where relkind not in ('i', 'I')
union all
select 'trigger', format('%I on %s', tgname, title),
  concat_ws(' ', pg_get_triggerdef(pg_trigger.oid), tgenabled)
from relation join pg_trigger on tgrelid = relation.oid where not tgisinternal
union all
-- Those of the foreign keys have numbers in their names.
select 'triggers of foreign keys on', title,
  string_agg(concat_ws(' ', tgfoid::regproc, tgenabled), ', ' order by tgfoid::regproc::text)
from relation join pg_trigger on tgrelid = relation.oid where tgisinternal group by title
union all
select 'rule', format('%I on %s', rulename, title),
  concat_ws(' ', ev_enabled, pg_get_ruledef(pg_rewrite.oid))
from relation join pg_rewrite on ev_class = relation.oid where rulename <> '_RETURN'
union all
select 'policy', format('%I on %s', polname, title), ''
from relation join pg_policy on polrelid = relation.oid
union all
select 'function', title, concat_ws(' ', proowner::regrole,
  case when prokind <> 'a' then pg_get_functiondef(oid) end)
from routine
union all
-- Objects of any other kind.
select object.type, object.identity, ''
from place join pg_depend on refclassid = 'pg_namespace'::regclass and refobjid = place.oid
cross join lateral pg_identify_object(classid, objid, 0) as object
where classid not in ('pg_class'::regclass, 'pg_proc'::regclass)
union all
select 'right of', format('%s on %s', coalesce(rolname, 'everybody'), title),
  string_agg(concat_ws(' ', privilege_type, is_grantable), ', ' order by privilege_type)
from granted cross join lateral aclexplode(rights) left join pg_roles on pg_roles.oid = grantee
where grantee in (0, owner) or privilege_type not in ('SELECT', 'USAGE')
  or rolname in ('fleet_ship', 'fleet_reader') or exists (
    select from pg_auth_members where member = grantee and roleid = to_regrole('fleet_ship')
  )
group by rolname, title;

-- name: office.foreign
-- Settings of the database, and objects outside of the schema, that may show or take other rows.
select 'setting' as what, setting || ' of the database' as name
from pg_db_role_setting, unnest(setconfig) as setting
where setdatabase = (select oid from pg_database where datname = current_database())
  -- PostgreSQL's own names come first, unless they are listed behind others.
  and (setting like 'search_path=%pg_catalog%' and setting not like 'search_path=pg_catalog%'
    or setting like 'session_replication_role=%')
union all
select 'event trigger', evtname from pg_event_trigger
order by 1, 2;
