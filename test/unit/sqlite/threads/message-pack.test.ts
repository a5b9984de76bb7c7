// Messages that cross to the writer's thread in one buffer come out as they went in.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Message } from "../../../../src/bwts/message.ts";
import { packMessages, unpackMessages } from "../../../../src/sqlite/threads/writer-messages.ts";

const anyMessage: fc.Arbitrary<Message> = fc.record({
  topic: fc.string({ unit: "binary" }),
  payload: fc.uint8Array({ maxLength: 40 }),
  payload_bytes: fc.nat(),
  received_ms: fc.maxSafeNat(),
  qos: fc.constantFrom(0, 1, 2),
  retain: fc.boolean(),
  dup: fc.boolean(),
  client: fc.string({ unit: "binary" }),
  packet_id: fc.option(fc.nat()),
  will: fc.boolean(),
});

test("every member and every byte of a payload is the same on the other side", () => {
  fc.assert(
    fc.property(fc.array(anyMessage), (messages) => {
      const waiting = messages.map((message, index) => ({ seq: index + 7, message }));
      const packed = packMessages(waiting);
      const found = unpackMessages(structuredClone(packed, { transfer: [packed.payloads.buffer] }));
      expect(found).toEqual(waiting);
    }),
  );
});
