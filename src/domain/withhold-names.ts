import { WITHHELD_NAME } from './withheld-name.ts';
import type { WrittenName } from './written-name.ts';
import { writtenNames } from './written-names.ts';

/** Of some hosts, with a port or without, those that an opt-out covers. */
export type OptedOutAmong = (names: readonly string[]) => readonly string[];

/** Replaces the names of hosts that have opted out; where there are none, what was given is returned as it is. */
export interface Withholding {
  inBody(body: Uint8Array): Uint8Array;
  inText(text: string): string;
}

/** What is about nobody's opt-out, such as a check of one's own server. */
export const WITHHOLD_NOTHING: Withholding = { inBody: (body) => body, inText: (text) => text };

const PLACEHOLDER = Buffer.from(WITHHELD_NAME);

/**
 * Puts {@link WITHHELD_NAME} in the place of every host name in a text in UTF-8 that an opt-out covers, however it is written there, and
 * leaves every other byte. A port behind it stays. The result of the result is the same.
 *
 * @param optedOutAmong is asked once, of the different names in the text, and not at all where there are none.
 */
export function withholdNames(body: Uint8Array, optedOutAmong: OptedOutAmong): Uint8Array {
  const written = writtenNames(body);
  if (written.length === 0) return body;
  const optedOut = new Set(optedOutAmong([...namesOf(written)]));
  if (optedOut.size === 0) return body;
  const pieces: Uint8Array[] = [];
  let end = 0;
  for (const name of meant(written, optedOut)) {
    pieces.push(body.subarray(end, name.start), PLACEHOLDER);
    end = name.end;
  }
  return Buffer.concat([...pieces, body.subarray(end)]);
}

/** {@link withholdNames} of a text that is not bytes yet. */
export function withholdNamesInText(text: string, optedOutAmong: OptedOutAmong): string {
  if (!MAY_NAME.test(text)) return text;
  const body = Buffer.from(text);
  const withheld = withholdNames(body, optedOutAmong);
  return withheld === body ? text : Buffer.from(withheld).toString();
}

/** @param hasOptOuts whether anybody has opted out; where nobody has, nothing is looked through. */
export function createWithholding(optedOutAmong: OptedOutAmong, hasOptOuts: () => boolean): Withholding {
  return {
    inBody: (body) => (hasOptOuts() ? withholdNames(body, optedOutAmong) : body),
    inText: (text) => (hasOptOuts() ? withholdNamesInText(text, optedOutAmong) : text),
  };
}

/** Most texts name nobody, and need no closer look: all dots, and what dots are written with. */
const MAY_NAME = /[.\u3002\uff0e\uff61\\%&]|[[({]dot[\])}]/i;

function namesOf(written: readonly WrittenName[], names = new Set<string>()): Set<string> {
  for (const { name, within } of written) {
    if (name !== null) names.add(name);
    namesOf(within, names);
  }
  return names;
}

function meant(written: readonly WrittenName[], optedOut: ReadonlySet<string>): WrittenName[] {
  return written.flatMap((name) =>
    name.name !== null && optedOut.has(name.name) ? [name] : meant(name.within, optedOut),
  );
}
