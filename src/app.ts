import { type CrawlEnd, crawl } from './crawl.ts';
import type { Domain } from './domain/domain.ts';
import { parseDomain } from './domain/parse-domain.ts';
import { type ExportReport, exportAll, prepareFolders } from './export/export-all.ts';
import { createAddressGuard } from './http/address-guard.ts';
import { type Connectivity, createConnectivity } from './http/connectivity.ts';
import { readHostsFile, withHostsFile } from './http/hosts-file.ts';
import { createResolver } from './http/resolver.ts';
import { cacheResolutions } from './http/resolver-cache.ts';
import { createTlsContext } from './http/tls-context.ts';
import { createHttp, type HttpOptions } from './http/visit-client.ts';
import { createIdentifier, type Identifier } from './identify/identifier.ts';
import type { Logger } from './logger.ts';
import { addressKey } from './queue/address-key.ts';
import { createVisitQueue } from './queue/visit-queue.ts';
import type { Visit } from './record/visit.ts';
import { requireContact } from './settings.contact.ts';
import type { Settings } from './settings.schema.ts';
import { importSource, type SourceReport } from './sources/import-source.ts';
import { createSource } from './sources/registry.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import { VERSION } from './version.ts';

export type { CrawlEnd } from './crawl.ts';
export { createLogger } from './logger.ts';
export { REASONS } from './record/reason.ts';
export type { Visit } from './record/visit.ts';
export { abortOnSignal } from './shutdown.ts';
export type { SourceReport } from './sources/import-source.ts';
export { VERSION } from './version.ts';

/** The parts of the program, put together from the settings. */
export interface App extends AsyncDisposable {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly store: Store;
  /**
   * To be called before a pass: throws when other people's servers would be visited with the example for a contact, and when
   * the export folder cannot be used, before a pass is spent on what could not be written.
   */
  checkBeforeCrawl(): Promise<void>;
  /** Reads every source and enters its domains; the ones already known stay as they are. */
  importSources(signal: AbortSignal): Promise<SourceReport[]>;
  /** One pass over what is due, or over just some domains. Of an app, only one pass can be stopped: it takes no more work then. */
  crawl(options: CrawlOptions): Promise<CrawlEnd>;
  /** Writes the datasets. */
  export(signal?: AbortSignal): Promise<ExportReport>;
}

export interface CrawlOptions {
  /** Visits just these, due or not. */
  only?: readonly Domain[] | undefined;
  signal: AbortSignal;
  onCompleted: (visit: Visit) => void;
}

/** Parts that a test replaces. */
export interface Overrides {
  now?: () => number;
  random?: () => number;
  identifier?: Identifier;
}

/** What was named on the command line is no domain that can be visited; every one that is not is in the message. */
export class DomainsError extends Error {
  override readonly name = 'DomainsError';
  readonly kind = 'setting';
}

/** @throws {DomainsError} when any of them is refused. */
export function parseDomains(texts: readonly string[], settings: Settings): Domain[] {
  const parses = texts.map((text) => ({ text, parse: parseDomain(text, settings.domains) }));
  const refused = parses.flatMap(({ text, parse }) => (parse.ok ? [] : [`${text}: ${parse.reason}, ${parse.detail}`]));
  if (refused.length > 0) throw new DomainsError(`not a domain that can be visited:\n  ${refused.join('\n  ')}`);
  return parses.flatMap(({ parse }) => (parse.ok ? [parse.domain] : []));
}

/** Refused lines that a report lists; all are counted. */
const REFUSALS_LISTED = 10_000;
/** New domains entered in one transaction. */
const ENTER_CHUNK = 1_000;
/** Waits before the one retry of a 5xx. */
const RETRY_PAUSE_MS = 250;

interface NetworkParts {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  /** Waits for a place at the addresses of a host other than the one visited. None: no limit. */
  admitGuest?: HttpOptions['admitGuest'];
  /** What was recorded before. None: nothing was. */
  before?: Pick<Store, 'keptRobots' | 'aliasOf'>;
}

/**
 * What reaches other people's servers: all that one visit needs.
 *
 * @throws {CaFileError} when `network.caFile` cannot be used.
 */
export function createNetwork(
  settings: Settings,
  { now, clock, admitGuest, before }: NetworkParts,
): { identifier: Identifier; connectivity: Connectivity } {
  const { network } = settings;
  const guard = createAddressGuard(network.allow);
  const dns = createResolver({ servers: network.dnsServers, timeoutMs: network.dnsTimeoutMs });
  const resolver = withHostsFile(
    cacheResolutions(dns, { concurrency: network.dnsConcurrency, clock }),
    readHostsFile(),
  );
  const openClient = createHttp({
    secureContext: createTlsContext(network.caFile),
    guard,
    resolver,
    clock,
    userAgent: `Loopscout/${VERSION} (+${settings.contact})`,
    maxBodyBytes: network.maxBodyBytes,
    now,
    ...network.timeouts,
    ...(admitGuest === undefined ? {} : { admitGuest }),
  });
  const identifier = createIdentifier({
    resolver,
    guard,
    openClient,
    clock,
    now,
    allowSuffixes: settings.domains.allowSuffixes,
    softwareId: settings.softwareId,
    robots: settings.robots,
    ...(before === undefined ? {} : { keptRobots: before.keptRobots, aliasOf: before.aliasOf }),
    pause: () => new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS)),
  });
  return { identifier, connectivity: createConnectivity({ resolver, clock }) };
}

/**
 * Builds the parts in order; disposing of the result releases them in reverse.
 *
 * @throws {StoreError} {CaFileError} when the settings name something unusable.
 */
export async function createApp(settings: Settings, logger: Logger, overrides: Overrides = {}): Promise<App> {
  const { now = Date.now, random = Math.random } = overrides;
  const clock = () => performance.now();
  const { queue } = settings;
  const { allowSuffixes } = settings.domains;
  const visitQueue = createVisitQueue({ concurrency: queue.concurrency, perSecond: queue.visitsPerSecond });
  // Guests have a line of their own: a visit that waited for a place among visits, while it holds one, could wait for itself.
  const admitGuest: HttpOptions['admitGuest'] = (addresses) =>
    visitQueue.hold(addresses.map(({ address }) => ({ key: `guest ${addressKey(address)}`, limit: queue.perAddress })));
  // Who names a domain may have changed its robots.txt a minute ago.
  let named: ReadonlySet<Domain> = new Set();
  const before: NetworkParts['before'] = {
    keptRobots: (domain) => (named.has(domain) ? null : store.keptRobots(domain)),
    aliasOf: (domain) => store.aliasOf(domain),
  };
  const network = createNetwork(settings, { now, clock, admitGuest, before });
  const identifier = overrides.identifier ?? network.identifier;
  const { connectivity } = network;
  const store = await openStore({ path: settings.database, now, leaseMs: queue.leaseSeconds * 1_000 });
  if (store.reclaimed > 0)
    logger.warn({ leases: store.reclaimed }, 'took back the leases of a run that did not end well');

  return {
    settings,
    logger,
    store,

    async checkBeforeCrawl() {
      requireContact(settings);
      await prepareFolders(settings.export.dir);
    },

    async importSources(signal) {
      const seen = new Set<Domain>();
      const reports: SourceReport[] = [];
      for (const entry of settings.sources) {
        const source = createSource(entry, { allowSuffixes });
        let chunk: Domain[] = [];
        const enterChunk = () => {
          store.enter(chunk, now());
          chunk = [];
        };
        const enter = (domain: Domain) => {
          chunk.push(domain);
          if (chunk.length >= ENTER_CHUNK) enterChunk();
        };
        try {
          reports.push(await importSource(source, { seen, enter, maxListed: REFUSALS_LISTED, signal }));
        } finally {
          enterChunk();
        }
      }
      return reports;
    },

    async crawl({ only, signal, onCompleted }) {
      named = new Set(only);
      if (only !== undefined) {
        const { optedOut } = store.requestVisit(only, now());
        if (optedOut.length > 0) logger.warn({ domains: optedOut }, 'opted out, and so not visited');
      }
      return crawl(
        {
          store,
          queue: visitQueue,
          identifier,
          policy: settings.cadence,
          limits: queue,
          renewEveryMs: (queue.leaseSeconds * 1_000) / 4,
          window: Math.max(queue.concurrency * 2, 64),
          mayBlame: (outcome) => connectivity.mayBlame(outcome),
          onCompleted,
          onBug: (domain, error) =>
            logger.error({ domain, err: error }, 'a visit broke on a bug of ours; the domain stays due'),
          now,
          clock,
          random,
        },
        { only, signal },
      );
    },

    async export(signal) {
      const reader = store.reader({ snapshot: true });
      try {
        return await exportAll({
          source: reader,
          dir: settings.export.dir,
          now,
          toolVersion: VERSION,
          ...(signal === undefined ? {} : { signal }),
        });
      } finally {
        reader[Symbol.dispose]();
      }
    },

    async [Symbol.asyncDispose]() {
      identifier.abandon();
      await store[Symbol.asyncDispose]();
    },
  };
}
