// Tokens over HTTP: new ones made by a maintainer, and the token of the first start, which the
// browser on ballastd's own computer may get until a maintainer has made one.

import { CONFIGURED, type NewTokenAnswer, nameIsToken, type TokenBody } from "../bwts/token.ts";
import type { HttpOptions } from "../http/route.ts";
import { isSetUpOpen } from "../sqlite/file/set-up.ts";
import { type OpenedParts, openedWriter } from "./parts.ts";
import { newSecret } from "./tokens.ts";

/** `configured` is the token of the configuration, or of the first start. */
export function openAskedTokens(parts: OpenedParts, configured: string): HttpOptions["tokens"] {
  const { auth, storage } = parts.config;
  return {
    async make({ name, role }: TokenBody, by): Promise<NewTokenAnswer> {
      if (name === configured) throw nameIsToken();
      const { secret, hash } = newSecret();
      const token = { name, role, sha256: hash.toString("hex") };
      await openedWriter(parts).call("token_add", token, by);
      return { name, role, token: secret };
    },
    first(): NewTokenAnswer | null {
      openedWriter(parts);
      if (auth.token !== "" || !isSetUpOpen(storage.dir)) return null;
      return { name: CONFIGURED, role: "maintainer", token: configured };
    },
  };
}
