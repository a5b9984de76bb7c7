// The routes about tokens: a maintainer makes one; a new installation is set up without one, by the
// browser on its own computer, where nobody has a terminal.

import type { IncomingMessage } from "node:http";
import { NewTokenAnswer, TokenBody } from "../../bwts/token.ts";
import { clientAddress, isLoopback, ownInterfaces } from "../../ground/admission.ts";
import { reason } from "../../ground/reasons.ts";
import { readBody } from "../body.ts";
import { Refusal } from "../refusal.ts";
import { json, route } from "../route.ts";

const ACT = { method: "POST", group: "admin", answer: NewTokenAnswer } as const;

/** The rows of tokens in the route table. */
export const TOKEN_ROUTES = [
  route({
    ...ACT,
    path: "/admin/tokens",
    operation: "makeToken",
    access: "maintainer",
    summary: "Makes a token, which is in this answer alone: only its hash is stored",
    body: TokenBody,
    errors: [413, 415, 503],
    async handle(asked, context) {
      const said = await readBody(TokenBody, asked, "an object with name and role", ["name"]);
      return json(await context.tokens.make(said, asked.by));
    },
  }),
  route({
    ...ACT,
    path: "/admin/set-up",
    operation: "beginSetUp",
    access: "anybody",
    summary:
      "The first start's token, for a page on ballastd's computer, until a maintainer has one",
    errors: [403, 409, 503],
    handle({ request, by }, context) {
      const problem = elsewhere(request);
      if (problem !== null)
        throw new Refusal(403, problem, {}, [
          reason("computer_other", { address: clientAddress(request.socket) }),
        ]);
      const made = context.tokens.first();
      if (made === null)
        throw new Refusal(409, "it was set up before, expected a maintainer's token", {}, [
          reason("set_up_before", {}),
        ]);
      const { name, role } = made;
      context.note({
        ...{ actor: name, address: by.address, kind: "login" },
        ...{ detail: { role, set_up: true }, fold: "" },
      });
      return json(made);
    },
  }),
];

/** Matches headers that a proxy adds; with one, the client is another computer. */
const FORWARDED = /^(forwarded|via|x-forwarded-.*|.*(client|real|connecting)-ip)$/;

/** The reason why a request isn't from a page on this computer; null if it is. */
function elsewhere({ socket, headers }: IncomingMessage): string | null {
  const address = clientAddress(socket);
  if (!isOwn(address))
    return `the request came from ${address}, expected the browser on ballastd's own computer`;
  const proxy = Object.keys(headers).find((name) => FORWARDED.test(name));
  if (proxy !== undefined)
    return `the request came through a proxy (${proxy}), expected the browser itself`;
  const { origin, host = "", "sec-fetch-site": site = "same-origin" } = headers;
  const page = origin === undefined || !URL.canParse(origin) ? null : new URL(origin);
  const isOfPage = page?.host === host && site === "same-origin";
  if (page === null || !isOfPage || !isOwn(page.hostname.replace(/^\[|\]$/g, "")))
    return "the request isn't of a page that ballastd's own computer opened by its address";
  return null;
}

/** True for an address of this computer, from which no other computer can connect. */
function isOwn(address: string): boolean {
  return isLoopback(address) || ownInterfaces().some((one) => one.address === address);
}
