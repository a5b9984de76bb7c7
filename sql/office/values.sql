-- Functions that read values from bytes and JSON written by a ship. None of them throws, so that
-- one malformed link or document doesn't make a whole view fail; unreadable values are null.

-- A 64-bit double, lowest byte first, at `place` from 0: a time in ms, rounded down.
create or replace function fleet.stored_ms(bytes bytea, place integer) returns bigint
language sql immutable as $$
  select case
    when bits > 0 and bits >> 52 between 1023 and 1075
      then ((bits & 4503599627370495) | 4503599627370496) >> (1075 - (bits >> 52))::integer
  end
  from (
    select bit_or(get_byte(bytes, place + step)::bigint << (8 * step)) as bits
    from generate_series(0, 7) as step
  ) as double
$$;

-- Number of readings, first and last time from a segment's header of format 1.
create or replace function fleet.segment_span(
  header bytea, out count integer, out first_ms bigint, out last_ms bigint
) language plpgsql immutable as $$
declare
  place integer := 1;
  byte integer;
begin
  if octet_length(header) < 52 or get_byte(header, 0) <> 1 then
    return;
  end if;
  count := 0;
  loop
    byte := get_byte(header, place);
    count := count | ((byte & 127) << (7 * (place - 1)));
    place := place + 1;
    exit when byte < 128;
    if place > 3 then
      count := null;
      return;
    end if;
  end loop;
  first_ms := fleet.stored_ms(header, place);
  last_ms := fleet.stored_ms(header, place + 8);
end $$;

-- The time in ms with which the JSON text of an event's identity or of an audit entry begins.
create or replace function fleet.leading_ms(json bytea) returns bigint
language sql immutable as $$
  select substring(encode(substr(json, 1, 20), 'escape') from '^\[(-?[0-9]{1,15})[.,]')::bigint
$$;

-- The JSON of a text. Zero characters and half surrogate pairs, which jsonb can't hold, are
-- replaced. An escaped backslash begins no escape, so such pairs are first marked with a character
-- that no JSON text has.
create or replace function fleet.json_of(json bytea) returns jsonb
language plpgsql immutable as $$
begin
  return replace(
    regexp_replace(
      replace(convert_from(json, 'UTF8'), '\\', chr(1)),
      '\\u(0000|d[89a-f]..)', '\\ufffd', 'gi'
    ),
    chr(1), '\\'
  )::jsonb;
exception when others then
  return null;
end $$;

create or replace function fleet.number_of(value jsonb) returns double precision
language sql immutable as $$
  select case
    when jsonb_typeof(value) <> 'number' then null
    when value::numeric = 0 then 0
    when abs(value::numeric) between 1e-300 and 1e300 then value::numeric::double precision
  end
$$;

-- A time from ms since 1970; null before 1970 and after 2286.
create or replace function fleet.time_of(ms double precision) returns timestamptz
language sql immutable as $$
  select case when ms between 0 and 1e13 then to_timestamp(ms / 1000) end
$$;
