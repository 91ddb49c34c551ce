import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import { MINUTE_MS } from '../../model/time.ts';
import { type Source, type SourceContext, type SourceEnd, SourceError, type SourceItem } from '../source.ts';
import { commonSourceSettings } from './source-settings.ts';

export const CrawledSourceSettings = z
  .strictObject({
    ...commonSourceSettings,
    type: z.literal('crawled').describe('Hosts that the crawl itself discovers.'),
    peers: z
      .boolean()
      .default(false)
      .describe(
        'Whether to request the peer lists of federating servers. Without it, the source yields only the hosts that known domains redirect to or name as their canonical host.',
      ),
    depth: z
      .int()
      .min(1)
      .max(3)
      .default(1)
      .describe(
        '1 requests the peers of servers from other sources, 2 also the peers of those peers, and so on. Each step is a source with runs of its own.',
      ),
    servers: z
      .int()
      .min(1)
      .max(1_000)
      .default(20)
      .describe('Number of servers per run, chosen at random; each is read like a source of its kind.'),
    maxMinutes: z
      .number()
      .min(0.01)
      .max(1_440)
      .default(30)
      .describe('No further server is read after this time, in minutes; earlier results are kept.'),
  })
  .superRefine(({ depth, peers }, context) => {
    if (depth > 1 && !peers)
      context.addIssue({
        code: 'custom',
        path: ['depth'],
        message: '1 without "peers": further steps need peer lists; add "peers": true, or omit "depth"',
      });
  })
  .describe('Hosts that the crawl itself discovers.');
export type CrawledSourceSettings = z.infer<typeof CrawledSourceSettings>;

/** A known domain: its software, the hosts it leads to, and the key of the source that listed it first. */
interface CrawledDomain {
  readonly domain: Domain;
  readonly software: string | null;
  readonly state: string;
  readonly aliasOf: Domain | null;
  readonly canonicalHost: Domain | null;
  readonly discoveredBy: string | null;
}

/** The domains of the store, a page at a time, by id. */
export interface CrawledDomains extends Disposable {
  readonly lastId: number;
  page(after: number, upTo: number): readonly CrawledDomain[];
}

interface CrawledParts {
  open: () => CrawledDomains;
  /** The source for a server's published peer list. */
  peersOf: (kind: PeersKind, domain: Domain) => Source;
  /** Servers that are configured as sources already. */
  excludedHosts: ReadonlySet<string>;
  /** A random number from 0 to below 1. */
  random: () => number;
}

const IDS_PER_PAGE = 1_000;

/** Creates one source per step; step 1 reads the peers of servers from other sources. */
export function createCrawledSources(settings: Readonly<CrawledSourceSettings>, parts: CrawledParts): Source[] {
  const base = settings.id ?? 'crawled';
  const keyOf = (step: number) => (step === 1 ? base : `${base} ${step}`);
  const steps = Array.from({ length: settings.peers ? settings.depth : 1 }, (_, index) => index + 1);
  const keys = new Set(steps.map(keyOf));
  return steps.map((step) => {
    const isFromPreviousStep = ({ discoveredBy }: CrawledDomain) =>
      step === 1 ? discoveredBy === null || !keys.has(discoveredBy) : discoveredBy === keyOf(step - 1);
    return {
      type: 'crawled',
      key: keyOf(step),
      label: step === 1 ? 'hosts met while crawling' : `hosts met while crawling, step ${step}`,
      host: null,
      read: (context) => read({ settings, parts, isFromPreviousStep, isFirst: step === 1 }, context),
    };
  });
}

interface Step {
  settings: Readonly<CrawledSourceSettings>;
  parts: CrawledParts;
  /** Whether a server was discovered by the previous step; for step 1, by any source but these steps. */
  isFromPreviousStep: (crawled: CrawledDomain) => boolean;
  isFirst: boolean;
}

interface Server {
  domain: Domain;
  kind: PeersKind;
}

async function* read(step: Step, context: SourceContext): AsyncGenerator<SourceItem, SourceEnd> {
  const { settings, parts, isFirst } = step;
  const timeLimit = AbortSignal.timeout(settings.maxMinutes * MINUTE_MS);
  const sample = createServerSample(step);
  let line = 0;
  // The block closes `domains` before the slow requests.
  {
    using domains = parts.open();
    for (let after = 0; after < domains.lastId && !context.signal.aborted; after += IDS_PER_PAGE) {
      for (const crawled of domains.page(after, after + IDS_PER_PAGE)) {
        sample.consider(crawled);
        for (const domain of isFirst ? [crawled.aliasOf, crawled.canonicalHost] : []) {
          if (domain !== null) yield { kind: 'domain', line: ++line, domain, software: null };
        }
      }
      await setImmediate();
    }
  }
  const sum = { requests: 0, bytes: 0, failed: 0, requested: 0 };
  for (const { domain, kind } of sample.servers) {
    if (context.signal.aborted || timeLimit.aborted) break;
    sum.requested += 1;
    const end = yield* readRenumbered(parts.peersOf(kind, domain), context, () => ++line);
    sum.requests += end?.requests ?? 0;
    sum.bytes += end?.bytes ?? 0;
    if (end === null) sum.failed += 1;
  }
  const haveAllFailed = sample.servers.length > 0 && sum.failed === sample.servers.length;
  const isIncomplete = sum.requested < sample.servers.length;
  const why = haveAllFailed
    ? `no server published its peers; ${sum.failed} were tried`
    : isIncomplete
      ? `only ${sum.requested} of ${sample.servers.length} servers were read before the time limit`
      : null;
  const outcome = why === null ? 'complete' : 'partial';
  return { outcome, why, etag: null, lastModified: null, requests: sum.requests, bytes: sum.bytes };
}

/** Yields the items of another source with new line numbers; returns null when that source fails, because many servers hide their peers. */
async function* readRenumbered(
  source: Source,
  context: SourceContext,
  nextLine: () => number,
): AsyncGenerator<SourceItem, SourceEnd | null> {
  const items = source.read({ ...context, previous: null });
  try {
    for (;;) {
      const { done, value } = await items.next();
      if (done === true) return value;
      yield { ...value, line: nextLine() };
    }
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  } finally {
    await items.return({ outcome: 'partial', why: null, etag: null, lastModified: null, requests: 0, bytes: 0 });
  }
}

/** Chooses servers at random, each with the same probability (reservoir sampling). */
function createServerSample({ settings, parts, isFromPreviousStep }: Step) {
  const servers: Server[] = [];
  let considered = 0;
  return {
    servers,
    consider(crawled: CrawledDomain): void {
      const kind = settings.peers && crawled.state === 'active' ? peersKindOf(crawled.software) : null;
      if (kind === null || parts.excludedHosts.has(crawled.domain) || !isFromPreviousStep(crawled)) return;
      considered += 1;
      const position = servers.length < settings.servers ? servers.length : Math.floor(parts.random() * considered);
      if (position < settings.servers) servers[position] = { domain: crawled.domain, kind };
    },
  };
}

/** The kinds of sources that read the peers of one server. */
type PeersKind = 'mastodon-peers' | 'lemmy-federated' | 'misskey-instances' | 'peertube-follows';

/** By the software name in NodeInfo. */
const KINDS: Readonly<Record<string, PeersKind>> = {
  mastodon: 'mastodon-peers',
  hometown: 'mastodon-peers',
  pleroma: 'mastodon-peers',
  akkoma: 'mastodon-peers',
  gotosocial: 'mastodon-peers',
  pixelfed: 'mastodon-peers',
  lemmy: 'lemmy-federated',
  piefed: 'lemmy-federated',
  misskey: 'misskey-instances',
  sharkey: 'misskey-instances',
  firefish: 'misskey-instances',
  peertube: 'peertube-follows',
};

/** The kind that reads the peers of this software; null when there is none. */
function peersKindOf(software: string | null): PeersKind | null {
  return software !== null && Object.hasOwn(KINDS, software) ? (KINDS[software] ?? null) : null;
}
