import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseDomain } from '../model/domain/parse-domain.ts';
import { createOptOutSet } from '../model/opt-outs/opt-out-names.ts';
import { redactText } from '../model/opt-outs/redact-names.ts';
import { type ConfiguredSource, listConfiguredSources, openCrawled } from '../service/sources/source-list.ts';
import { requireContact } from '../settings/apply-reloadable.ts';
import type { Settings } from '../settings/schema.ts';
import { createHtmlSelector } from '../sources/html/html-selector.ts';
import { importSource, type SourceRunResult } from '../sources/import-source.ts';
import { type ExternalSourceSettings, SourceSettings } from '../sources/kinds/registry.ts';
import type { Source } from '../sources/source.ts';
import { openReader } from '../store/open-reader.ts';
import type { StoreReader } from '../store/store-reader.ts';
import { createComparison, type OurInstance, ourInstance, type Unlisted } from '../views/comparison.ts';
import { createNetwork } from './network.ts';

/** A source held against the directory. Times are ISO 8601 in UTC. */
export interface Comparison {
  source: { key: string; type: string; label: string };
  outcome: SourceRunResult['outcome'];
  why: string | null;
  /** Domains that it lists. */
  listed: number;
  /** Of these, those that it says run something else. */
  saidOther: number;
  /** Listed by both. */
  both: number;
  /** Whom it lists and we do not, each with our reason; what we know to be other software is counted below and not named. */
  theirs: Unlisted[];
  theirsByReason: Partial<Record<Unlisted['because'], number>>;
  /** Whom we list and it does not, each with how we know. */
  ours: OurInstance[];
  refused: number;
  refusedByReason: SourceRunResult['refusedByReason'];
}

/** The source to compare with cannot be asked. */
export class CompareError extends Error {
  override readonly name = 'CompareError';
  readonly kind: 'setting' | 'failure';

  constructor(kind: 'setting' | 'failure', message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface CompareOptions {
  /** What relative paths are taken from. */
  cwd: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  signal: AbortSignal;
}

/**
 * Reads a source now, enters nothing, and tells whom it lists that we do not, and the reverse.
 *
 * @param text the key of a source of the settings, its URL or path; or the URL of a list in JSON, or a file.
 * @throws {SourceError} {ContactError} {CompareError} {StoreError} when one of the two sides cannot be read.
 */
export async function compareSource(settings: Settings, text: string, options: CompareOptions): Promise<Comparison> {
  const { now, clock, signal } = options;
  using reader = openReader(settings.database, {
    snapshot: true,
    flags: settings.flags,
  });
  const source = find(settings, text, options.cwd, reader);
  if (source.host !== null) requireMayAsk(settings, source.host, reader);
  const ours = new Map([...reader.instances(now())].map((instance) => [instance.domain, instance]));
  const side = createComparison(settings.softwareId, reader, new Set(ours.keys()));
  // Of the present: who opts out while a list is read is asked no more.
  using live = openReader(settings.database);
  const { optedOut } = live;
  const isOptedOut = (host: string) => optedOut.has(host);
  const http = createNetwork(settings, { now, clock, isOptedOut }).sourceHttp;
  const context = { http, selectHtml: createHtmlSelector(), previous: null, signal, now };
  const enter: Parameters<typeof importSource>[1]['enter'] = (candidates) => {
    for (const { domain, software } of candidates) side.add(domain, software);
  };
  const { result, error } = await importSource(source, { enter, maxListed: 0, context });
  signal.throwIfAborted();
  if (error !== null && result.outcome === 'failed') throw error;
  const { key, type, label } = source;
  return {
    source: { key, type, label },
    outcome: result.outcome,
    why: result.why === null ? null : redactText(result.why, optedOut),
    listed: result.accepted,
    saidOther: side.otherSoftware(),
    both: side.both.size,
    theirs: side.theirs.sort((one, other) => (one.domain < other.domain ? -1 : 1)),
    theirsByReason: side.byReason,
    ours: [...ours.values()].filter(({ domain }) => !side.both.has(domain)).map((one) => ourInstance(one, reader)),
    refused: result.refused,
    refusedByReason: result.refusedByReason,
  };
}

/** @throws {CompareError} when the host of the list has opted out, which covers all that it publishes. */
function requireMayAsk(settings: Settings, host: string, reader: StoreReader): void {
  requireContact(settings);
  const parsed = parseDomain(host, settings.domains);
  if (parsed.ok && reader.optedOut.has(parsed.domain))
    throw new CompareError(
      'failure',
      'The owner of the host of this list has opted out, and so it is not asked; compare another list.',
    );
}

function find(settings: Settings, text: string, cwd: string, reader: StoreReader): Source {
  const path = resolve(cwd, text);
  // The owner of the settings asks for it by the name that it has there.
  const optedOut = createOptOutSet(new Set());
  const parts = { open: () => openCrawled({ reader: () => reader }), optedOut, random: Math.random };
  const all = listConfiguredSources(
    { ...settings, sources: settings.sources.map((one) => ({ ...one, enabled: true })) },
    parts,
  );
  const isMeant = ({ entry, source: { key, label } }: ConfiguredSource) =>
    key === text ||
    label === text ||
    ('url' in entry && entry.url === text) ||
    ('path' in entry && entry.path === path);
  const configured = all.find(isMeant)?.source;
  if (configured !== undefined) return configured;
  const entry = SourceSettings.safeParse(entryOf(text, path));
  const isMissing = entry.success && entry.data.type === 'file' && !existsSync(path);
  const [other] =
    entry.success && !isMissing ? listConfiguredSources({ ...settings, sources: [entry.data] }, parts) : [];
  if (other === undefined)
    throw new CompareError(
      'setting',
      `${text} is no source of the settings, no URL of a list, and there is no such file; name one of these.`,
    );
  return other.source;
}

/** An entry for a list that the settings do not name. */
function entryOf(text: string, path: string): Partial<ExternalSourceSettings> {
  if (!/^https?:\/\//i.test(text)) return { type: 'file', path };
  const isExport = URL.parse(text)?.pathname.endsWith('/instances.json') === true;
  return isExport ? { type: 'json', url: text, hosts: 'instances.*.domain' } : { type: 'json', url: text };
}
