// The list of all ships, the one in most trouble first, fifty on a page, filtered by name or
// number, or by trouble or missing contact. All of that is in the address. Alerts about missing
// contact are above it.

import { useEffect, useRef } from "preact/hooks";
import { TablePages } from "../../dashboard/chart/curve-table.tsx";
import { fleetWords as t } from "../../dashboard/lang/words.ts";
import { ChoiceInput } from "../../dashboard/parts/choice.tsx";
import { useKeys } from "../../dashboard/parts/keys.ts";
import { beginningOf } from "../../dashboard/parts/long-text.tsx";
import { printMoment } from "../../dashboard/parts/moments.ts";
import { type PageProps, page } from "../../dashboard/parts/page.tsx";
import type { ViewParameter } from "../../dashboard/parts/view.ts";
import { wholeParameter, wordParameter } from "../../dashboard/parts/view-parameters.ts";
import { readFleet, type ShownFleet, type ShownShip } from "./fleet-answers.ts";
import { FLEET_KEYS } from "./fleet-keys.ts";
import { ShipRow } from "./fleet-row.tsx";
import { usePolled, useShoreNow } from "./polled.ts";
import { ServerState } from "./server-state.tsx";
import { WideTable } from "./wide-table.tsx";

const SEARCH_MAX = 200;
const searched: ViewParameter<string> = {
  start: "",
  read: (text) => (text.length <= SEARCH_MAX ? text : null),
  write: (text) => text,
};

const SHOWN = ["all", "troubled", "silent"] as const;
const PARAMETERS = {
  search: searched,
  show: wordParameter(SHOWN, "all"),
  page: wholeParameter(2, 1000),
};
type ListProps = PageProps<typeof PARAMETERS>;

export const fleetList = page(PARAMETERS, FleetList);

function FleetList(props: ListProps) {
  const polled = usePolled("/api/fleet", readFleet);
  const now_ms = useShoreNow(polled.known?.value.as_of_ms ?? null, polled.answered_ms);
  const silent = polled.known?.value.silent.length ?? 0;
  useEffect(() => {
    document.title = `${silent > 0 ? `(${silent}) ` : ""}${t("title")} · ballastd`;
  });
  return (
    <ServerState polled={polled} now_ms={now_ms}>
      {(fleet) => (
        <>
          <SilenceBar fleet={fleet} now_ms={now_ms} />
          <Ships fleet={fleet} now_ms={now_ms} {...props} />
        </>
      )}
    </ServerState>
  );
}

interface ShownProps {
  readonly fleet: ShownFleet;
  readonly now_ms: number;
}

const NAMED_MAX = 5;
const NAME_MAX = 40;

function SilenceBar({ fleet, now_ms }: ShownProps) {
  const { silent, silence_minutes } = fleet;
  const { length } = silent;
  if (length === 0)
    return (
      <p class="alert-link" data-test="silence">
        {t("none_silent")}
      </p>
    );
  return (
    <div class="alert-link warning" role="alert" data-test="silence">
      <a class="alone" href="#/fleet?show=silent">
        {t("silent", { n: length, minutes: silence_minutes })}
      </a>
      <ul class="named">
        {silent.slice(0, NAMED_MAX).map(({ ship, name, silent_ms }) => (
          <li key={ship}>
            <span dir="auto">{beginningOf(name, NAME_MAX)}</span>{" "}
            {printMoment(silent_ms ?? now_ms, now_ms)}
          </li>
        ))}
        {length > NAMED_MAX && <li>…</li>}
      </ul>
    </div>
  );
}

const PAGE_ROWS = 50;

function Ships({ fleet, now_ms, view, change }: ShownProps & ListProps) {
  const field = useRef<HTMLInputElement>(null);
  useKeys([
    { keys: FLEET_KEYS.key_search, about: t("key_search"), run: () => field.current?.focus() },
  ]);
  const found = foundShips(fleet.ships, view);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const shown = Math.min(view.page ?? 1, pages) - 1;
  return (
    <section aria-labelledby="ships" class="ships-panel">
      <h2 id="ships">
        {t("title")} <small data-test="count">{t("ships", { n: found.length })}</small>
      </h2>
      <div class="ship-choice">
        <label>
          <span>{t("search")}</span>{" "}
          <input
            ref={field}
            type="search"
            maxLength={SEARCH_MAX}
            value={view.search}
            onInput={({ currentTarget: { value } }) =>
              change({ search: value, page: null }, "none")
            }
          />
        </label>{" "}
        <ChoiceInput
          label={t("show")}
          chosen={view.show}
          choices={SHOWN.map((name) => [name, t(`show_${name}`)] as const)}
          choose={(show) => change({ show, page: null })}
        />
      </div>
      {found.length === 0 ? (
        <p data-test="none">{t(fleet.ships.length === 0 ? "no_ships" : "none_found")}</p>
      ) : (
        <ShipTable
          ships={found.slice(shown * PAGE_ROWS, (shown + 1) * PAGE_ROWS)}
          now_ms={now_ms}
        />
      )}
      <TablePages
        page={shown}
        pages={pages}
        setPage={(wanted) => change({ page: wanted === 0 ? null : wanted + 1 })}
      />
    </section>
  );
}

function foundShips(ships: readonly ShownShip[], { search, show }: ListProps["view"]) {
  const words = search.normalize("NFKC").toLowerCase().split(/\s+/);
  return ships.filter(
    ({ found, troubles, silent_ms }) =>
      words.every((word) => found.includes(word)) &&
      (show === "all" || (show === "silent" ? silent_ms !== null : troubles.length > 0)),
  );
}

const COLUMNS = [
  ...["ship", "contact", "raw_until", "backlog", "state", "alarms"],
  ...["last_verdict", "health", "lamp_due", "chain", "clock", "version", "today", "month"],
] as const;

interface ShipTableProps {
  readonly ships: readonly ShownShip[];
  readonly now_ms: number;
}

function ShipTable({ ships, now_ms }: ShipTableProps) {
  return (
    <WideTable labelledBy="ships" columns={COLUMNS.map((name) => t(name))}>
      {ships.map((ship) => (
        <ShipRow key={ship.ship} ship={ship} now_ms={now_ms} />
      ))}
    </WideTable>
  );
}
