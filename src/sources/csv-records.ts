import type { Line } from './read-lines.ts';

/** The text of one CSV record, which may span lines; `isClosed` is false for a line whose quote is never closed. */
export interface CsvRecord {
  readonly line: number;
  readonly text: string;
  readonly isClosed: boolean;
}

/** A longer record is taken for a stray quote, which would otherwise swallow the rest of the file. */
const maxLinesInRecord = 100;

/** Puts lines together to records (RFC 4180: a quoted field may hold line ends). A stray quote costs its own line only. */
export async function* csvRecords(lines: AsyncIterable<Line>): AsyncGenerator<CsvRecord> {
  const pending: Line[] = [];
  for await (const line of lines) {
    if (pending.length === 0 && !line.text.includes('"')) {
      yield { line: line.number, text: line.text, isClosed: true };
      continue;
    }
    pending.push(line);
    yield* takeRecords(pending, maxLinesInRecord);
  }
  yield* takeRecords(pending, 1);
}

/** Takes what is complete off the front; what is open waits, until it is as long as `patience`. */
function* takeRecords(pending: Line[], patience: number): Generator<CsvRecord> {
  for (let first = pending[0]; first !== undefined; first = pending[0]) {
    const count = linesOfFirstRecord(pending);
    if (count === 0 && pending.length < patience) return;
    const lines = pending.splice(0, count || 1);
    yield { line: first.number, text: lines.map(({ text }) => text).join('\n'), isClosed: count > 0 };
  }
}

function linesOfFirstRecord(lines: readonly Line[]): number {
  let isOpen = false;
  for (const [index, { text }] of lines.entries()) {
    isOpen = isOpenAfter(text, isOpen);
    if (!isOpen) return index + 1;
  }
  return 0;
}

/** Whether a quoted field is still open at the end of a line. A quote opens a field only where the field begins. */
function isOpenAfter(text: string, wasOpen: boolean): boolean {
  const opening = /(?:^|,)[ \t]*"/g;
  const closing = /(?:[^"]|"")*?"(?!")/y;
  let isOpen = wasOpen;
  for (let at = 0; ; ) {
    const next = isOpen ? closing : opening;
    next.lastIndex = at;
    if (!next.test(text)) return isOpen;
    at = next.lastIndex;
    isOpen = !isOpen;
  }
}
