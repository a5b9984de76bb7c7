// The office's store of objects, by the place that an option names and the key in the environment.
// What the store refuses is told as a Failure that names the server and what it says.

import { EXIT, Failure, messageOf } from "../ground/errors.ts";
import { type ObjectStore, openObjects, StoreRefusal } from "../shore/object-store.ts";
import { officePlace } from "../shore/store-place.ts";

/** A gateway that begins anew takes some seconds. */
const ATTEMPTS = 4;

/** The store that --objects names; null without it. */
export function storeNamed(given: string | undefined): ObjectStore | null {
  return given === undefined ? null : officeStore(given);
}

/** Throws a Failure for a place that can't be one, and without a key. */
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
