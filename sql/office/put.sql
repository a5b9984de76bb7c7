-- The functions with which a ship sends links. Besides them and put_document its role may call only
-- hello and lost_segment. Each call is its own commit, and its answer is the acknowledgement. They
-- run as fleet_owner; the role that logged in shows the ship. Names are qualified, and the search
-- path is pinned, so that no object of the caller is ever used.
--
-- 28000 no ship of this fleet, or revoked      FL001 the link before isn't here
-- 22023 an argument that can't be right        FL002 the payload isn't its digest
-- 54000 too many boxes or branches             FL003 the hash doesn't follow

create or replace function fleet.refuse(code text, problem text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception using errcode = code, message = problem;
end $$;

-- The time at which the ship sent: now, or for an imported file the time at which it was made. The
-- office's import sets it; a ship that sets it itself only appears to be without contact. Never
-- before 1970, because the office's programs know no time of minus infinity.
create or replace function fleet.spoken() returns timestamptz
language sql stable set search_path = pg_catalog, pg_temp as $$
  select greatest(to_timestamp(0), least(clock_timestamp(), coalesce(
    nullif(current_setting('fleet.carried', true), '')::timestamptz, clock_timestamp())))
$$;

-- The ship of the session. Locks its row, so that links of two boxes with one key are stored one
-- after the other, and none after the ship was revoked. `box` is null before it has said hello.
create or replace function fleet.own_ship(box uuid) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  own text;
  seen timestamptz;
begin
  -- Makes the answer mean that the data is on the disk, and the standby's, whatever the role or the
  -- server has set.
  if current_setting('synchronous_commit') not in ('on', 'remote_apply') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  select ship into own from fleet.ship where role = session_user and revoked is null
    for no key update;
  if own is null then
    perform fleet.refuse('28000', format('%s is no ship of this fleet', session_user));
  end if;
  if box is not null then
    select last_seen into seen from fleet.instance where ship = own and instance = box;
    if seen is null then
      perform fleet.refuse('22023', format('instance %s: expected one that said hello', box));
    elsif seen < fleet.spoken() - interval '1 minute' then
      update fleet.instance set last_seen = fleet.spoken() where ship = own and instance = box;
    end if;
  end if;
  return own;
end $$;

-- Refuses arguments of put_link that can't be a link, without looking at stored data.
create or replace function fleet.check_link(
  chain text, number integer, previous bytea, hash bytea, body bytea, digest bytea, payload bytea
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  body_max constant integer := 4 * 1024 * 1024;
  payload_max constant integer := 64 * 1024 * 1024;
  content bytea;
begin
  if chain is null or chain not in ('segment', 'event', 'audit') then
    perform fleet.refuse('22023', format('chain %s: expected segment, event or audit',
      quote_nullable(left(chain, 40))));
  elsif number is null or number < 1 then
    perform fleet.refuse('22023', format('number %s: expected 1 or more', number));
  elsif octet_length(previous) is distinct from 32 or octet_length(hash) is distinct from 32 then
    perform fleet.refuse('22023', 'previous and hash: expected 32 bytes each');
  elsif body is null or octet_length(body) > body_max then
    perform fleet.refuse('22023', format('body: %s bytes, expected at most %s',
      coalesce(octet_length(body), 0), body_max));
  elsif octet_length(payload) > payload_max then
    perform fleet.refuse('22023', format('payload: %s bytes, expected at most %s',
      octet_length(payload), payload_max));
  elsif chain = 'audit' and (digest is not null or payload is not null) then
    perform fleet.refuse('22023', 'digest and payload: an audit entry has neither');
  elsif chain <> 'audit' and octet_length(digest) is distinct from 32 then
    perform fleet.refuse('22023', 'digest: expected 32 bytes');
  elsif chain = 'event' and payload is null then
    perform fleet.refuse('22023', 'payload: an event has its identity''s text');
  elsif sha256(payload) <> digest then
    perform fleet.refuse('FL002', format('%s %s: the payload isn''t its digest', chain, number));
  end if;
  content := case chain
    when 'segment' then body || digest
    when 'event' then digest || body
    else body
  end;
  if sha256(content || previous) <> hash then
    perform fleet.refuse('FL003', format('%s %s: the hash doesn''t follow from the body, the '
      'digest and the link before', chain, number));
  end if;
end $$;

-- The branch that a new link continues; a new one if the link before has another successor.
create or replace function fleet.branch_for(
  own text, chain text, number integer, previous bytea
) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  found_branch integer;
begin
  if number > 1 then
    select branch into found_branch from fleet.link
    where ship = own and chain = branch_for.chain and number = branch_for.number - 1
      and hash = branch_for.previous;
  elsif previous = decode(repeat('00', 32), 'hex') then
    found_branch := 0;
  end if;
  if found_branch is null then
    perform fleet.refuse('FL001', format('%s %s: the link before isn''t here', chain, number));
  end if;
  if exists (
    select from fleet.link
    where ship = own and chain = branch_for.chain and number = branch_for.number
      and previous = branch_for.previous
  ) then
    select 1 + max(branch) into found_branch from fleet.branch
    where ship = own and chain = branch_for.chain;
    -- Limited, because each query of the fleet reads all branches. A ship has a handful in its
    -- life; a thief could add millions.
    if found_branch >= 1000 then
      perform fleet.refuse('54000', format('%s %s: %s branches are here, expected fewer', chain,
        number, found_branch));
    end if;
  end if;
  return found_branch;
end $$;

-- Stores a link and returns its number. A stored one changes nothing, or gets its missing payload.
create or replace function fleet.put_link(
  instance uuid, chain text, number integer, previous bytea, hash bytea, body bytea, digest bytea,
  payload bytea
) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  own text;
  is_lacking boolean;
  found_branch integer;
  span record;
begin
  if instance is null then
    perform fleet.refuse('22023', 'instance: expected one that said hello');
  end if;
  own := fleet.own_ship(instance);
  perform fleet.check_link(chain, number, previous, hash, body, digest, payload);
  select payload is null and object is null into is_lacking from fleet.link
  where ship = own and chain = put_link.chain and number = put_link.number and hash = put_link.hash;
  if is_lacking and payload is not null and chain = 'segment' then
    update fleet.link set payload = put_link.payload
    where ship = own and chain = put_link.chain and number = put_link.number
      and hash = put_link.hash;
  end if;
  if is_lacking is not null then
    return number;
  end if;
  found_branch := fleet.branch_for(own, chain, number, previous);
  if chain = 'segment' then
    select count, first_ms, last_ms into span from fleet.segment_span(body);
  else
    select 1 as count, at_ms as first_ms, at_ms as last_ms into span
    from fleet.leading_ms(case chain when 'event' then payload else body end) as at_ms;
  end if;
  if span.count is null or span.first_ms is null or span.last_ms is null then
    perform fleet.refuse('22023', format('%s %s: its times can''t be read; a newer schema may '
      'know its format', chain, number));
  end if;
  insert into fleet.link
    (ship, chain, number, branch, hash, previous, body, digest, payload, first_ms, last_ms, count,
     instance)
  values
    (own, chain, number, found_branch, hash, previous, body, digest, payload, span.first_ms,
     span.last_ms, span.count, instance);
  insert into fleet.branch as tip
    (ship, chain, branch, begins, begun_by, number, hash, until_ms, received, instance)
  values
    (own, chain, found_branch, number, instance, number, hash, span.last_ms, fleet.spoken(),
     instance)
  on conflict (ship, chain, branch) do update
    set number = excluded.number, hash = excluded.hash,
      received = greatest(tip.received, excluded.received),
      until_ms = greatest(tip.until_ms, excluded.until_ms), instance = excluded.instance;
  return number;
end $$;

-- Adds the payload of a segment whose link was sent without it. A stored one changes nothing.
create or replace function fleet.put_payload(
  instance uuid, chain text, number integer, hash bytea, payload bytea
) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  own text;
  expected bytea;
begin
  if instance is null or payload is null then
    perform fleet.refuse('22023', 'instance and payload: expected, got null');
  end if;
  own := fleet.own_ship(instance);
  select digest into expected from fleet.link
  where ship = own and chain = put_payload.chain and number = put_payload.number
    and hash = put_payload.hash and chain = 'segment';
  if expected is null then
    perform fleet.refuse('FL001', format('%s %s: no segment here has this number and hash',
      quote_nullable(left(chain, 40)), number));
  elsif sha256(payload) <> expected then
    perform fleet.refuse('FL002', format('segment %s: the payload isn''t its digest', number));
  end if;
  update fleet.link set payload = put_payload.payload
  where ship = own and chain = 'segment' and number = put_payload.number
    and hash = put_payload.hash and payload is null;
end $$;

-- Reports that the office's store has the payload of a stored link, as an object named by the ship
-- and the payload's digest. A repeated report changes nothing.
create or replace function fleet.put_object(instance uuid, number integer, hash bytea)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  own text;
  found bytea;
begin
  if instance is null then
    perform fleet.refuse('22023', 'instance: expected one that said hello');
  end if;
  own := fleet.own_ship(instance);
  select digest into found from fleet.link
  where ship = own and chain = 'segment' and number = put_object.number
    and hash = put_object.hash;
  if found is null then
    perform fleet.refuse('FL001', format('segment %s: no segment here has this number and hash',
      number));
  end if;
  update fleet.link set object = own || '/' || encode(found, 'hex')
  where ship = own and chain = 'segment' and number = put_object.number
    and hash = put_object.hash and payload is null and object is null;
end $$;
