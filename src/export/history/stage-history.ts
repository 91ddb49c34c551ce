import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SCHEMA_VERSION, schemaPath } from '../../directory/schema/fields.ts';
import type { IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import { DAY_MS, type EpochMs, isoTime } from '../../model/time.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import type { Tallies } from '../datasets/dataset.ts';
import { withExportErrors } from '../export-error.ts';
import { type Chunk, GENERATED_AT } from '../files/blocks.ts';
import { areIntact } from '../files/published-file.ts';
import type { Staging } from '../files/staging.ts';
import { type DatedFileEntry, HistoryIndex } from '../schema/history.ts';
import { datedFileName, datesIn, HISTORY } from './dated-files.ts';
import { compress, datedText, placesIn, uncompress, without } from './dated-text.ts';

const INDEX = `${HISTORY}/index.json`;
/** A file of each day is kept for so long; then the first of each month. */
const DAILY_DAYS = 400;
/** Files that are checked at once: zlib and the file system work on other threads. */
const AT_ONCE = 2;

export interface HistoryOptions {
  readonly staging: Staging;
  readonly source: StoreReader;
  readonly tallies: Tallies;
  readonly isHidden: IsHidden;
  readonly dir: string;
  /** Time of the export. */
  readonly at: EpochMs;
  /** Checks every file for instances that must not be published, even if there was no such request since the last check. */
  readonly mustCheck: boolean;
}

/**
 * Stages the dated file of the day, if there is none yet, the rewritten files without instances that must no longer be published, and
 * the index. An export that is killed between two of them leaves files that differ from the index; the next one repairs the index.
 */
export async function stageHistory(options: HistoryOptions) {
  const { staging, source, tallies, dir, at, mustCheck } = options;
  const index = readIndex(dir);
  const today = dayOf(at);
  const known = new Map(index?.files.map((entry) => [entry.date, entry]));
  const dates = datesIn(dir);
  const old = dates.filter((date) => !isKept(date, dates, at));
  const checksAll = mustCheck || index === null || source.optOuts.hasRequestSince(index.checked);

  const entries = new Map<string, DatedFileEntry>();
  const waiting = dates.filter((date) => !old.includes(date)).values();
  const isHidden = remember(options.isHidden);
  const check = async () => {
    for (const date of waiting) {
      const entry = known.get(date);
      const isIntact = entry !== undefined && statSync(join(dir, entry.name)).size === entry.bytes;
      const checked = isIntact && !checksAll ? entry : await checkFile(date, entry, isHidden, options);
      if (checked !== null) entries.set(date, checked);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, check));

  if (!entries.has(today)) {
    const { counts } = tallies.instances;
    const text = datedText({ date: today, generatedAt: isoTime(at), counts, lines: tallies.instanceLines });
    entries.set(today, { ...(await stage(today, await compress(text), counts.instances, options)), replaced: [] });
  }
  const damaged = dates.filter((date) => !entries.has(date) && !old.includes(date));
  const files = [...entries.values()].sort((one, other) => (one.date < other.date ? -1 : 1));
  // The index is not rewritten only because something was recorded in the database.
  const checked = index === null || checksAll ? source.optOuts.lastRequest() : index.checked;
  const staged = await staging.add(
    INDEX,
    schemaPath('history'),
    indexText({ checked, gaps: gapsIn(files, at), files }),
  );
  return {
    /** The manifest entry of the index, which has the hashes of the dated files. */
    index: staged,
    /** The names of damaged files, which are no longer listed and will be removed. */
    damaged: damaged.map(datedFileName),
    /** Removes the files that are no longer kept. Call it after the index was published. */
    removeOld: async (): Promise<void> => {
      for (const date of [...old, ...damaged]) {
        const path = join(dir, datedFileName(date));
        await withExportErrors(path, () => rm(path, { force: true }));
      }
    },
  };
}

/** Whether the dated files are those that the index lists, with their hashes. */
export async function areDatedFilesIntact(dir: string): Promise<boolean> {
  const files = readIndex(dir)?.files ?? [];
  return datesIn(dir).join() === files.map(({ date }) => date).join() && (await areIntact(dir, files));
}

/** The entry of a file that was checked, and rewritten if necessary; null if it is damaged. */
async function checkFile(
  date: string,
  known: DatedFileEntry | undefined,
  isHidden: IsHidden,
  options: HistoryOptions,
): Promise<DatedFileEntry | null> {
  const path = join(options.dir, datedFileName(date));
  const bytes = await withExportErrors(path, () => readFile(path));
  const text = await uncompress(bytes);
  if (text === null) return null;
  const places = placesIn(text);
  const [, generatedAt = isoTime(options.at)] = /"generatedAt":"([^"]*)"/.exec(text.toString('utf8', 0, 200)) ?? [];
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const found: DatedFileEntry = {
    date,
    name: datedFileName(date),
    writtenAt: known === undefined ? generatedAt : isoTime(options.at),
    bytes: bytes.byteLength,
    sha256,
    instances: places.length,
    replaced: known === undefined ? [] : versionsOf(known),
  };
  // Different hashes: an export was killed before it published the index.
  const current = known?.sha256 === sha256 ? known : found;
  const hidden = places.filter(({ domain }) => isHidden(domain));
  if (hidden.length === 0) return current;
  const content = await compress(without(text, places, isHidden));
  const rewritten = await stage(date, content, places.length - hidden.length, options);
  return { ...rewritten, replaced: versionsOf(current) };
}

function versionsOf({ writtenAt, bytes, sha256, instances, replaced }: DatedFileEntry): DatedFileEntry['replaced'] {
  return [...replaced, { writtenAt, bytes, sha256, instances }];
}

async function stage(
  date: string,
  content: Uint8Array,
  instances: number,
  { staging, at }: HistoryOptions,
): Promise<Omit<DatedFileEntry, 'replaced'>> {
  const { name, bytes, sha256 } = await staging.add(datedFileName(date), schemaPath('instances'), [content]);
  return { date, name, writtenAt: isoTime(at), bytes, sha256, instances };
}

function readIndex(dir: string): HistoryIndex | null {
  try {
    return HistoryIndex.parse(JSON.parse(readFileSync(join(dir, INDEX), 'utf8')));
  } catch {
    return null;
  }
}

function* indexText({ checked, gaps, files }: Pick<HistoryIndex, 'checked' | 'gaps' | 'files'>): Iterable<Chunk> {
  yield `{"schemaVersion":${SCHEMA_VERSION},\n"generatedAt":"`;
  yield GENERATED_AT;
  yield `",\n"checked":${JSON.stringify(checked)},\n"gaps":${JSON.stringify(gaps)},\n"files":[`;
  yield files.map((entry) => `\n${JSON.stringify(entry)}`).join(',');
  yield '\n]}\n';
}

function dayOf(at: number): string {
  return isoTime(at).slice(0, 10);
}

/** Whether the file of a day is kept. @param dates all days with a file, ascending. */
function isKept(date: string, dates: readonly string[], at: number): boolean {
  const month = date.slice(0, 7);
  return date >= dayOf(at - DAILY_DAYS * DAY_MS) || dates.find((one) => one.startsWith(month)) === date;
}

/** The past days without a file between the first and the last one, within the time for which a file of each day is kept. */
function gapsIn(files: readonly DatedFileEntry[], at: number): string[] {
  const days = new Set(files.map(({ date }) => date));
  const [first, last] = [files[0]?.date, files.at(-1)?.date];
  if (first === undefined || last === undefined) return [];
  const from = Math.max(Date.parse(first), Date.parse(dayOf(at - DAILY_DAYS * DAY_MS)));
  // A file may have a later date than today: it was written while the clock was ahead.
  const length = Math.max(0, (Math.min(Date.parse(last), at) - from) / DAY_MS);
  return Array.from({ length }, (_, index) => dayOf(from + index * DAY_MS)).filter((day) => !days.has(day));
}

/** The same function, which is called once for each domain: a year of files holds the same domains over and over. */
function remember(isHidden: IsHidden): IsHidden {
  const results = new Map<string, boolean>();
  return (domain) => {
    const known = results.get(domain);
    if (known !== undefined) return known;
    const result = isHidden(domain);
    results.set(domain, result);
    return result;
  };
}
