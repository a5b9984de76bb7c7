// The views of the fleet's database that have a column for each field, by the order in which a
// ship's documents hold the values.

import { SYSTEM_VALUES } from "../../src/bwts/documents/system-values.ts";
import { AGGREGATED, TAGS } from "../../src/bwts/tags.ts";

export function fleetViews(): string {
  return `-- Views with a column for each field, made of the catalogue by npm run generate.

-- A row for each ship: its newest report, and how far its data is here. raw_until: before this time
-- no payload is missing, except those that have expired aboard.
create or replace view fleet.now as
select ship.ship, ship.name, ship.added, ship.revoked,
  box.last_seen as last_contact, box.version, box.boxes,
  fleet.time_of(fleet.number_of(said -> 'at_ms')) as reported,
  fleet.time_of(fleet.number_of(said -> 'data_ms')) as data_until,
  raw.raw_until, said ->> 'state' as state, said ->> 'operation_type' as operation_type,
  said ->> 'location' as location,
  ${columns("said", SYSTEM_VALUES)},
  said -> 'alarms' as alarms, fleet.number_of(said -> 'health') as health,
  fleet.number_of(said -> 'hot') as hot_readings,
  fleet.number_of(said -> 'backlog' -> 'links') as backlog_links,
  fleet.number_of(said -> 'backlog' -> 'bytes') as backlog_bytes,
  fleet.time_of(fleet.number_of(said -> 'backlog' -> 'oldest_ms')) as backlog_since,
  said -> 'clock' -> 'trusted' = 'true' as clock_trusted,
  fleet.number_of(said -> 'clock' -> 'offset_ms') as clock_offset_ms,
  (select count(*) from fleet.branch where branch.ship = ship.ship and branch > 0) as forks,
  report.received as report_received, tip.number as verified_to,
  said -> 'lamp_due' ->> 1 as lamp_due,
  fleet.number_of(said -> 'line' -> 0) * 1000 as line_today_bytes,
  fleet.number_of(said -> 'line' -> 1) * 1000 as line_month_bytes,
  fleet.number_of(said -> 'line' -> 2) as minutes_left, said as report,
  judged.verdict as last_verdict
from fleet.ship
left join lateral (
  select body as said, received from fleet.document
  where document.ship = ship.ship and kind = 'report' and key = 'now'
  order by received desc limit 1
) as report on true
left join lateral (
  select max(last_seen) as last_seen, (array_agg(version order by last_seen desc))[1] as version,
    count(*) filter (where last_seen > now() - interval '1 day') as boxes
  from fleet.instance where instance.ship = ship.ship
) as box on true
left join lateral (
  select branch, begins, number, until_ms from fleet.branch
  where branch.ship = ship.ship and chain = 'segment' order by received desc limit 1
) as tip on true
left join lateral (
  select fleet.time_of(coalesce((
    select first_ms from fleet.link
    where link.ship = ship.ship and chain = 'segment' and payload is null and object is null
      and (link.branch = tip.branch or link.number < tip.begins)
      and last_ms >= coalesce(fleet.number_of(said -> 'raw_from_ms'), 0)
    order by first_ms limit 1
  ), tip.until_ms)) as raw_until
) as raw on true
${lastVerdict()}

${hourView()}`;
}

function lastVerdict(): string {
  return `left join lateral (
  select jsonb_build_object('verdict', left(body ->> 'verdict', 40),
    'version', fleet.number_of(body -> 'version'), 'end', left(body ->> 'end', 40),
    'operation_type', left(body ->> 'operation_type', 100),
    'location', left(body ->> 'location', 100),
    'is_withdrawn', body -> 'remarks' ? 'withdrawn', 'is_proven', is_proven) as verdict
  from (
    -- Limited, since more verdicts of one end come only from a thief.
    (select body, received, revision, true as is_proven from fleet.document
      where document.ship = ship.ship and kind = 'verdict' and body ->> 'verdict' is not null
        and proven is not null
      order by body ->> 'end' desc limit 1000)
    union all
    (select body, received, revision, false as is_proven from fleet.document
      where document.ship = ship.ship and kind = 'verdict' and body ->> 'verdict' is not null
        and proven is null
      order by body ->> 'end' desc limit 1000)
  ) as newest
  order by is_proven desc, body ->> 'end' desc, received desc, revision desc limit 1
) as judged on true;`;
}

function hourView(): string {
  return `-- Hours, as a ship's own /api/telemetry/aggregated answers them.
create or replace view fleet.hour as
select ship, fleet.time_of(fleet.number_of(body -> 'start_ms')) as start,
  fleet.number_of(body -> 'count') as count,
  ${columns("body", AGGREGATED)},
  instance, received
from fleet.document
where kind = 'hour' and not exists (
  select from fleet.document as later
  where later.ship = document.ship and later.kind = 'hour' and later.key = document.key
    and (later.revision, later.received, later.instance)
      > (document.revision, document.received, document.instance)
);
`;
}

/** The values of a document's body as columns, in their order. */
function columns(body: string, fields: readonly number[]): string {
  return fields
    .map((index, place) => {
      const name = TAGS[index].name.toLowerCase();
      return `fleet.number_of(${body} -> 'values' -> ${place}) as ${name}`;
    })
    .join(",\n  ");
}
