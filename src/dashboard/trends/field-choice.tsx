// The chosen fields as chips, each with its curve's line, and a choice of more fields by groups,
// which a search narrows.

import { useEffect, useRef, useState } from "preact/hooks";
import { CurveSample } from "../chart/chart.tsx";
import { trendsWords as t } from "../lang/words.ts";
import { Popover } from "../parts/popover.tsx";
import { CURVES_MAX, fieldLabel, groupedFields, isState, tagOf } from "./fields.ts";

interface FieldChoiceProps {
  readonly fields: readonly string[];
  readonly choose: (fields: readonly string[]) => void;
}

export function FieldChoice({ fields, choose }: FieldChoiceProps) {
  const numeric = fields.filter((name) => !isState(name));
  return (
    <>
      {fields.map((name) => {
        const field = fieldLabel(tagOf(name));
        return (
          <span key={name} class="chip">
            {numeric.includes(name) && <CurveSample position={numeric.indexOf(name)} />}
            <span title={field}>{field}</span>
            <button
              type="button"
              onClick={() => choose(fields.filter((one) => one !== name))}
              aria-label={t("remove", { field })}
            >
              ×
            </button>
          </span>
        );
      })}
      {fields.length < CURVES_MAX && (
        <Popover text={`+ ${t("add_short")}`} label={t("add")} side="left">
          {(close) => (
            <FieldList
              chosen={fields}
              add={(name) => {
                choose([...fields, name]);
                close();
              }}
            />
          )}
        </Popover>
      )}
    </>
  );
}

interface FieldListProps {
  readonly chosen: readonly string[];
  readonly add: (name: string) => void;
}

function FieldList({ chosen, add }: FieldListProps) {
  const [search, setSearch] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const groups = groupedFields(search)
    .map(({ name, fields }) => ({
      name,
      fields: fields.filter((tag) => !chosen.includes(tag.name)),
    }))
    .filter(({ fields }) => fields.length > 0);
  const first = groups[0]?.fields[0];
  return (
    <form
      class="field-list"
      onSubmit={(event) => {
        event.preventDefault();
        if (first !== undefined) add(first.name);
      }}
    >
      <input
        type="search"
        ref={input}
        value={search}
        aria-label={t("search")}
        placeholder={t("search")}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {groups.length === 0 && <p class="quiet">{t("search_none")}</p>}
      {groups.map(({ name, fields }) => (
        <fieldset key={name}>
          <legend>{t(name)}</legend>
          {fields.map((tag) => (
            <button type="button" key={tag.name} onClick={() => add(tag.name)}>
              {fieldLabel(tag)}
            </button>
          ))}
        </fieldset>
      ))}
    </form>
  );
}
