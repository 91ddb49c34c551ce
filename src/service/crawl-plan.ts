import { existsSync } from 'node:fs';
import type { Domain } from '../model/domain/domain.ts';
import { createOptOutSet } from '../model/opt-outs/opt-out-names.ts';
import { isoTime } from '../model/time.ts';
import type { Settings } from '../settings/schema.ts';
import { createHtmlSelector } from '../sources/html/html-selector.ts';
import { importSource } from '../sources/import-source.ts';
import type { StoreReader } from '../store/store-reader.ts';
import { openReader } from '../store/store-reader.ts';
import { readOptOutFile } from './opt-out-file.ts';
import {
  type ConfiguredSource,
  listConfiguredSources,
  openCrawledDomains,
  sourceDueAt,
} from './sources/source-list.ts';
import { earlyMs, type WhichSources } from './sources/sources.ts';

/** A configured source, and whether the crawl would read it. */
export interface PlannedSource {
  key: string;
  type: string;
  label: string;
  /** `not-due`: not before `nextRead`; `opted-out`: its host has opted out; `left-out`: excluded by `--sources`. */
  read: 'yes' | 'not-due' | 'opted-out' | 'left-out';
  /** Requests of its last run, robots.txt included; 0 for a file, null when it was never read. */
  requestsLastTime: number | null;
  /** ISO 8601 in UTC; null for a file, and when it was never read. */
  nextRead: string | null;
}

export interface PlannedVisit {
  domain: Domain;
  /** When its next visit is due, ISO 8601 in UTC; null when no visit is planned, or the domain is not known yet. */
  dueSince: string | null;
  /** Label of the file that lists a domain that is not known yet; null for a known domain, and for one that the user named. */
  listedBy: string | null;
}

/** What a crawl would do now. */
export interface CrawlPlan {
  sources: PlannedSource[];
  /** The domains to visit. Remote sources and redirects can add others; the limits of a source can exclude some. */
  domains: PlannedVisit[];
  /** Domains named by the user that have opted out; they are not visited. */
  optedOut: Domain[];
}

export interface CrawlPlanOptions {
  /** Domains named by the user; undefined: the due domains, and the new ones in files. */
  only: readonly Domain[] | undefined;
  which: WhichSources | 'none';
  now: number;
  signal: AbortSignal;
}

/**
 * Whether a crawl could find a domain to visit: a source other than `crawled` is enabled, or the database has domains.
 *
 * @throws {StoreError} when the database cannot be read.
 */
export function hasCandidates({ sources, database }: Settings, readsSources = true): boolean {
  if (readsSources && sources.some(({ enabled, type }) => enabled && type !== 'crawled')) return true;
  if (!existsSync(database)) return false;
  using reader = openReader(database);
  return reader.domains.lastId() > 0;
}

/**
 * Plans a crawl: contacts nobody and writes nothing.
 *
 * @throws {StoreError} {OptOutError} {SourceError} when the database or a file cannot be read.
 */
export async function planCrawl(settings: Settings, options: CrawlPlanOptions): Promise<CrawlPlan> {
  using reader = existsSync(settings.database) ? openReader(settings.database, { snapshot: true }) : null;
  const isOptedOut = await readOptOuts(settings, reader, options.signal);
  if (options.only !== undefined) {
    const named = [...new Set(options.only)];
    const visits = named.filter((domain) => !isOptedOut(domain)).map((domain) => visitOf(domain, reader));
    return { sources: [], domains: visits, optedOut: named.filter(isOptedOut) };
  }
  const sources = configuredSources(settings, reader).map((configured) => ({
    configured,
    planned: planSource(configured, { settings, reader, options, isOptedOut }),
  }));
  const domains = reader === null ? [] : dueDomains(reader, options.now, isOptedOut);
  const alreadyPlanned = new Set(domains.map(({ domain }) => domain));
  for (const { configured, planned } of sources) {
    if (planned.read !== 'yes' || configured.entry.type !== 'file') continue;
    for (const domain of await domainsOfFile(configured, options)) {
      if (alreadyPlanned.has(domain) || isOptedOut(domain) || (reader !== null && reader.domains.find(domain) !== null))
        continue;
      alreadyPlanned.add(domain);
      domains.push({ domain, dueSince: null, listedBy: configured.source.label });
    }
  }
  return { sources: sources.map(({ planned }) => planned), domains, optedOut: [] };
}

/** Returns the test for opted-out names: those in the database, and in the opt-out file, which a crawl applies before its first visit. */
async function readOptOuts(
  { optOut, domains }: Settings,
  reader: StoreReader | null,
  signal: AbortSignal,
): Promise<(name: string) => boolean> {
  const listed =
    optOut.file === null ? [] : (await readOptOutFile(optOut.file, { domains, knownState: null, signal })).listed;
  const inFile = createOptOutSet(new Set<string>(listed));
  return (name) => inFile.has(name) || reader?.optOuts.has(name) === true;
}

function configuredSources(settings: Settings, reader: StoreReader | null): ConfiguredSource[] {
  const noDomains = { lastId: 0, page: () => [], [Symbol.dispose]: () => {} };
  return listConfiguredSources(settings, {
    open: () => (reader === null ? noDomains : openCrawledDomains({ reader: () => reader })),
    random: () => 0,
  });
}

interface SourceParts {
  settings: Settings;
  reader: StoreReader | null;
  options: CrawlPlanOptions;
  isOptedOut: (name: string) => boolean;
}

function planSource(
  { entry, source }: ConfiguredSource,
  { settings, reader, options: { which, now }, isOptedOut }: SourceParts,
): PlannedSource {
  const { key, type, label } = source;
  const state = reader?.sources.all().find((one) => one.key === key);
  const isFile = entry.type === 'file';
  const past = { runs: reader?.sources.runsOf(key) ?? [], notBefore: state?.notBefore ?? null };
  const dueAt = sourceDueAt(past, entry.everyHours, now, earlyMs(entry.everyHours, settings));
  const isDue = isFile || which !== 'due' || now >= dueAt;
  const isLeftOut = which === 'none' || (which === 'files' && !isFile);
  const isHostOptedOut = source.host !== null && isOptedOut(source.host);
  return {
    key,
    type,
    label,
    read: isLeftOut ? 'left-out' : isHostOptedOut ? 'opted-out' : isDue ? 'yes' : 'not-due',
    requestsLastTime: isFile ? 0 : (state?.lastRun?.requests ?? null),
    nextRead: isFile || state === undefined ? null : new Date(dueAt).toISOString(),
  };
}

function dueDomains(reader: StoreReader, now: number, isOptedOut: (name: string) => boolean): PlannedVisit[] {
  const due: PlannedVisit[] = [];
  for (const { domain, nextVisit } of reader.domains.all())
    if (nextVisit !== null && nextVisit <= now && !isOptedOut(domain))
      due.push({ domain, dueSince: isoTime(nextVisit), listedBy: null });
  return due;
}

function visitOf(domain: Domain, reader: StoreReader | null): PlannedVisit {
  const nextVisit = reader?.domains.find(domain)?.nextVisit ?? null;
  return { domain, dueSince: isoTime(nextVisit), listedBy: null };
}

async function domainsOfFile({ source }: ConfiguredSource, { signal, now }: CrawlPlanOptions): Promise<Domain[]> {
  const found: Domain[] = [];
  const { error } = await importSource(source, {
    enter: (candidates) => {
      for (const { domain } of candidates) found.push(domain);
    },
    maxReportedRefusals: 0,
    context: { http: null, previous: null, selectHtml: createHtmlSelector(), signal, now: () => now },
  });
  if (error !== null) throw error;
  signal.throwIfAborted();
  return found;
}
