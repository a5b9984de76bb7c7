// Reads the answers that the search asks for: operations by number and port, and the manual's
// headings.

import { instant, isLike, listOf, numberOrNull, type Read, textOrNull } from "../store/checks.ts";
import { aText, each, membersOf, type ValueOf } from "../store/shapes.ts";

export interface FoundOperation {
  readonly id: number;
  readonly type: string | null;
  readonly place: string | null;
  readonly start_ms: number;
}

type FoundMembers = Record<"id" | "operation_type" | "location" | "start", unknown>;

/** Reads the operations, newest first. */
export const readFound: Read<readonly FoundOperation[]> = (body) =>
  listOf(body, (given) => {
    if (!isLike<FoundMembers>(given)) return null;
    const [id, start_ms] = [numberOrNull(given.id), instant(given.start)];
    if (id === null || start_ms === null) return null;
    const [type, place] = [textOrNull(given.operation_type), textOrNull(given.location)];
    return { id, type, place, start_ms };
  });

interface HeadingAnswer {
  readonly page: string;
  readonly of: string;
  readonly anchor: string;
  readonly text: string;
}

/** A heading of the manual; `of` is the title of its page. The page's own title has no anchor. */
const heading = membersOf<HeadingAnswer>()({ page: aText, of: aText, anchor: aText, text: aText });
export type Heading = ValueOf<typeof heading>;

export const readHeadings = each(heading);
