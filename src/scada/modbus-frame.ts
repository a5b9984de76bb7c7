// Modbus TCP as bytes, pure: finds the next request in received bytes, and makes its answer. Only
// two functions exist: read holding registers (3) and input registers (4), which are the same here.
// (Not by a library: jsmodbus and modbus-serial keep received bytes without limit, answer from a
// buffer that has no unknown addresses, and have more code than these 12 bytes need.)

/** Length of the header: transaction, protocol, length (2 bytes each); unit and request follow. */
const HEAD_BYTES = 6;
/** Maximum length by the standard: unit, function and at most 252 bytes. */
const LENGTH_MAX = 254;
/** Maximum number of registers of an answer, by the standard. */
const COUNT_MAX = 125;

const READ_FUNCTIONS = [3, 4];
const EXCEPTIONS = { function: 1, address: 2, value: 3 } as const;

export interface ModbusRequest {
  /** Length of the whole request in bytes. */
  readonly bytes: number;
  readonly transaction: number;
  readonly unit: number;
  /** Function code and its data. */
  readonly pdu: Buffer;
}

/** The first request in `given`; null while bytes of it are missing, "foreign" if it isn't one. */
export function requestIn(given: Buffer): ModbusRequest | "foreign" | null {
  if (given.length < HEAD_BYTES) return null;
  const length = given.readUInt16BE(4);
  if (given.readUInt16BE(2) !== 0 || length < 2 || length > LENGTH_MAX) return "foreign";
  const bytes = HEAD_BYTES + length;
  if (given.length < bytes) return null;
  const transaction = given.readUInt16BE(0);
  const pdu = given.subarray(HEAD_BYTES + 1, bytes);
  return { bytes, transaction, unit: given[HEAD_BYTES], pdu };
}

/** Reads the numbers of `count` registers from `first` on; null if one doesn't exist. */
export type ReadRegisters = (asked: {
  readonly first: number;
  readonly count: number;
}) => readonly number[] | null;

/** The answer to a request, an exception if it can't be met. */
export function answerTo({ transaction, unit, pdu }: ModbusRequest, read: ReadRegisters): Buffer {
  const answer = answered(pdu, read);
  const head = Buffer.alloc(HEAD_BYTES + 1);
  head.writeUInt16BE(transaction, 0);
  head.writeUInt16BE(answer.length + 1, 4);
  head[HEAD_BYTES] = unit;
  return Buffer.concat([head, answer]);
}

function answered(pdu: Buffer, read: ReadRegisters): Buffer {
  const [code] = pdu;
  const exception = (number: number) => Buffer.from([code | 0x80, number]);
  if (!READ_FUNCTIONS.includes(code)) return exception(EXCEPTIONS.function);
  const count = pdu.length === 5 ? pdu.readUInt16BE(3) : 0;
  if (count < 1 || count > COUNT_MAX) return exception(EXCEPTIONS.value);
  const numbers = read({ first: pdu.readUInt16BE(1), count });
  if (numbers === null) return exception(EXCEPTIONS.address);
  const answer = Buffer.alloc(2 + 2 * count);
  answer[0] = code;
  answer[1] = 2 * count;
  for (const [place, number] of numbers.entries()) answer.writeUInt16BE(number, 2 + 2 * place);
  return answer;
}
