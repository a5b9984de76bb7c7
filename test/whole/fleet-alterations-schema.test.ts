// Alterations of the schema by the owner of the office's database, and what an office changes by
// its manual: `ballastd fleet verify` compares all that PostgreSQL's catalogue says of the schema
// with one that is made beside it. Each has a copy of an empty database, or a part in one.

import { afterAll, beforeAll, expect, test } from "vitest";
import { withOffice } from "../../src/office/office.ts";
import { provenSchema } from "../../src/office/proof/schema-proof.ts";
import { SCHEMA_APART, SCHEMA_INNOCENT, SCHEMA_TOGETHER } from "../rig/altered-schema.ts";
import { type FleetRig, startFleet } from "../rig/fleet-rig.ts";

let fleet: FleetRig;
beforeAll(async () => {
  fleet = await startFleet();
  await fleet.add("9074729");
  await fleet.psql(`create role evil; create role grafana;
    create role reader login password 'known' in role fleet_reader`);
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
});

/** The words of the command about a copy of the database, for a superuser if no other is named. */
async function told(alter: string, user = "postgres:office") {
  await fleet.psql("create database altered template fleet", "postgres");
  try {
    await fleet.psql(alter, "altered");
    const url = fleet.url.replace(/\/fleet$/, "/altered").replace("postgres:office", user);
    const { faults, not_proven } = await withOffice(url, provenSchema);
    return { faults: faults.join("; "), listed: not_proven.join("; ") };
  } finally {
    await fleet.psql("drop database altered with (force)", "postgres");
  }
}

let all: ReturnType<typeof told> | null = null;

test.each(SCHEMA_TOGETHER)("%s: named among others", async (_, __, named) => {
  all ??= told(SCHEMA_TOGETHER.map(([, alter]) => alter).join(";\n"));
  expect((await all).faults).toMatch(named);
});

test.each(SCHEMA_APART)("%s: named", async (what, alter, named) => {
  const { faults } = await told(alter);
  // Roles are the server's, not the database's.
  if (what === "a role of the schema")
    await fleet.psql("alter role readers rename to fleet_reader");
  expect(faults).toMatch(named);
});

test.each(SCHEMA_INNOCENT)("%s: no fault", async (what, alter) => {
  const found = await told(alter);
  if (what.startsWith("another ship"))
    await fleet.psql("drop role ship_9176187_1").catch(() => undefined);
  expect(found).toEqual({ faults: "", listed: "" });
});

test("a role that makes no schema names what ballastd never makes, lists the rest", async () => {
  const reader = "reader:known";
  const { faults, listed } = await told("drop index fleet.document_verdict", reader);
  expect([faults, listed]).toEqual(["", "the schema: this role can't make another to compare"]);
  const rule = "create rule evil as on insert to fleet.request do instead nothing";
  expect((await told(rule, reader)).faults).toMatch(/the rule evil on fleet.request isn't of/);
});
