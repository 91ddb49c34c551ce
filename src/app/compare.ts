import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createComparison, type OurInstance, ourInstance, type Unlisted } from '../directory/comparison.ts';
import { optOutsOf } from '../http/admit-host.ts';
import { parseDomain } from '../model/domain/parse-domain.ts';
import type { Clock, EpochMs } from '../model/time.ts';
import { type ConfiguredSource, listConfiguredSources, openCrawledDomains } from '../service/sources/source-list.ts';
import { requireContact, type SettingsFile } from '../settings/require-contact.ts';
import type { Settings } from '../settings/schema.ts';
import { createHtmlSelector } from '../sources/html/html-selector.ts';
import { importSource, type SourceRunResult } from '../sources/import-source.ts';
import { type ExternalSourceSettings, SourceSettings } from '../sources/kinds/registry.ts';
import type { Source } from '../sources/source.ts';
import type { StoreReader } from '../store/store-reader.ts';
import { openReader } from '../store/store-reader.ts';
import { createNetwork, httpOptionsOf } from './network.ts';

/** A source compared with the directory. Times are ISO 8601 in UTC. */
export interface Comparison {
  source: { key: string; type: string; label: string };
  outcome: SourceRunResult['outcome'];
  why: string | null;
  /** Domains in the source. */
  listed: number;
  /** Listed domains that the source reports as other software. */
  saidOther: number;
  /** Listed by both. */
  both: number;
  /** Domains that only the source lists, each with the reason why it is not listed here. `theirsByReason` also counts opted-out domains, and other software that the source does not call Loops. */
  theirs: Unlisted[];
  theirsByReason: Partial<Record<Unlisted['because'], number>>;
  /** Instances that only we list. */
  ours: OurInstance[];
  refused: number;
  refusedByReason: SourceRunResult['refusedByReason'];
}

/** The source to compare with cannot be read. */
export class CompareError extends Error {
  override readonly name = 'CompareError';
  readonly kind: 'setting' | 'failure';

  constructor(kind: 'setting' | 'failure', message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface CompareOptions {
  /** The folder that relative paths resolve against. */
  cwd: string;
  /** For messages. */
  settingsFile?: SettingsFile;
  now: () => EpochMs;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Reads a source now, stores nothing, and compares it with the directory.
 *
 * @param text the key, URL or path of a source in the settings; or the URL of a JSON list, or a file.
 * @throws {SourceError} {ContactError} {CompareError} {StoreError} when the source or the database cannot be read.
 */
export async function compareSource(settings: Settings, text: string, options: CompareOptions): Promise<Comparison> {
  const { now, clock, signal } = options;
  using reader = openReader(settings.database, {
    snapshot: true,
    flags: settings.flags,
  });
  const source = findSource(settings, text, options.cwd, reader);
  if (source.host !== null) requireAllowed(settings, source.host, reader, options.settingsFile);
  const ours = new Map([...reader.instances.listed(now())].map((instance) => [instance.domain, instance]));
  const comparison = createComparison(settings.softwareId, reader, new Set(ours.keys()));
  // Not a snapshot: hosts that opt out while the list is read are no longer contacted.
  using live = openReader(settings.database);
  const optOuts = optOutsOf(live.optOuts);
  const http = createNetwork(settings, {
    now,
    clock,
    http: { ...httpOptionsOf(settings, { now, clock }), optOuts },
  }).sourceHttp;
  const context = { http, selectHtml: createHtmlSelector(), previous: null, signal, now };
  const enter: Parameters<typeof importSource>[1]['enter'] = (candidates) => {
    for (const { domain, software } of candidates) comparison.add(domain, software);
  };
  const { result, error } = await importSource(source, { enter, maxReportedRefusals: 0, context });
  signal.throwIfAborted();
  if (error !== null && result.outcome === 'failed') throw error;
  const { key, type, label } = source;
  return {
    source: { key, type, label },
    outcome: result.outcome,
    why: result.why,
    listed: result.accepted,
    saidOther: comparison.otherSoftware(),
    both: comparison.both.size,
    theirs: comparison.missingHere.sort((a, b) => (a.domain < b.domain ? -1 : 1)),
    theirsByReason: comparison.byReason,
    ours: [...ours.values()]
      .filter(({ domain }) => !comparison.both.has(domain))
      .map((one) => ourInstance(one, reader)),
    refused: result.refused,
    refusedByReason: result.refusedByReason,
  };
}

/**
 * @throws {ContactError} when the `contact` setting still has the example value.
 * @throws {CompareError} when the host of the list has opted out.
 */
function requireAllowed(settings: Settings, host: string, reader: StoreReader, file?: SettingsFile): void {
  requireContact(settings, file);
  const parsed = parseDomain(host, settings.domains);
  if (parsed.ok && reader.optOuts.has(parsed.domain))
    throw new CompareError(
      'failure',
      'The host of this list has opted out, so it is not contacted; compare another list.',
    );
}

function findSource(settings: Settings, text: string, cwd: string, reader: StoreReader): Source {
  const path = resolve(cwd, text);
  const parts = { open: () => openCrawledDomains({ reader: () => reader }), random: Math.random };
  const allSources = listConfiguredSources(
    { ...settings, sources: settings.sources.map((one) => ({ ...one, enabled: true })) },
    parts,
  );
  const matches = ({ entry, source: { key, label } }: ConfiguredSource) =>
    key === text ||
    label === text ||
    ('url' in entry && entry.url === text) ||
    ('path' in entry && entry.path === path);
  const configured = allSources.find(matches)?.source;
  if (configured !== undefined) return configured;
  const entry = SourceSettings.safeParse(entryOf(text, path));
  const isMissing = entry.success && entry.data.type === 'file' && !existsSync(path);
  const [other] =
    entry.success && !isMissing ? listConfiguredSources({ ...settings, sources: [entry.data] }, parts) : [];
  if (other === undefined)
    throw new CompareError(
      'setting',
      `${text} is not a source in the settings, not a URL, and not an existing file; loopscout sources lists the sources.`,
    );
  return other.source;
}

/** The settings entry for a list that the settings lack. */
function entryOf(text: string, file: string): Partial<ExternalSourceSettings> {
  if (!/^https?:\/\//i.test(text)) return { type: 'file', path: file };
  const path = URL.parse(text)?.pathname ?? '';
  if (path.endsWith('.csv')) return { type: 'csv', url: text };
  const isExport = path.endsWith('/instances.json');
  return isExport ? { type: 'json', url: text, hosts: 'instances.*.domain' } : { type: 'json', url: text };
}
