// Asks for a token if ballastd requires one: a form in place of the page, which appears as soon as
// the token is right.

import type { TargetedSubmitEvent } from "preact";
import type { PageAccess } from "./refresh.ts";
import { setToken } from "./token.ts";

export function AskToken({ access }: { access: PageAccess }) {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("token");
    if (typeof given === "string" && given.trim() !== "") setToken(given.trim());
  };
  return (
    <main>
      <section aria-labelledby="token">
        <h2 id="token">This page needs a token</h2>
        <p>
          Any role will do. Who looks after ballastd makes one with{" "}
          <code>ballastd token add --name NAME --role viewer</code>.
        </p>
        {access.refused !== null && (
          <p class="banner alarm" role="alert">
            {access.refused}
          </p>
        )}
        <form class="token" onSubmit={submit} autocomplete="off">
          <label>
            Token{" "}
            <input
              {...{ name: "token", type: "password", autocomplete: "off", spellcheck: false }}
              // Browsers don't send other characters; the failure would look like a lost
              // connection.
              pattern="\s*[\x21-\x7e]+\s*"
              title="letters, digits and signs of ASCII, as the token was printed"
              required
            />
          </label>
          <button type="submit">Show</button>
        </form>
        <p class="quiet">It is kept in this page alone: a reload asks again.</p>
      </section>
    </main>
  );
}
