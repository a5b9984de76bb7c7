// The office's store of objects, at the place that an option names, with the key from the
// environment. A refusal by the store becomes a Failure with the server's name and its message.

import { EXIT, Failure, messageOf } from "../ground/errors.ts";
import { type ObjectStore, openObjects, StoreRefusal } from "../shore/object-store.ts";
import { officePlace } from "../shore/store-place.ts";

/** Maximum number of attempts: a restarting gateway takes some seconds. */
const ATTEMPTS = 4;

/** The store of --objects; null without the option. */
export function storeNamed(given: string | undefined): ObjectStore | null {
  return given === undefined ? null : officeStore(given);
}

/** Opens the store. Throws a Failure for a malformed place, or without a key. */
export function officeStore(given: string): ObjectStore {
  const store = openObjects(officePlace(given, process.env), { attempts: ATTEMPTS });
  const told =
    <Given extends readonly unknown[], Result>(ask: (...given: Given) => Promise<Result>) =>
    (...values: Given) =>
      ask(...values).catch((error) => {
        const code = error instanceof StoreRefusal ? EXIT.failed : EXIT.unavailable;
        throw new Failure(code, `${store.server}: ${messageOf(error)}`);
      });
  return {
    ...store,
    put: told(store.put),
    get: told(store.get),
    names: told(store.names),
    versions: told(store.versions),
    remove: told(store.remove),
  };
}
