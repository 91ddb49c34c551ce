import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import type { Source, SourceContext, SourceEnd, SourceItem } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { commonSourceSettings } from './source-settings.ts';

/** What the settings say of the hosts that the crawl itself meets. */
export const CrawledSourceSettings = z
  .strictObject({
    ...commonSourceSettings,
    type: z.literal('crawled').describe('Hosts that the crawl itself meets.'),
    peers: z
      .boolean()
      .default(false)
      .describe(
        'Whether servers that were found to federate are asked whom they know; without it, it is where hosts redirect to, and what they name as their address.',
      ),
    depth: z
      .int()
      .min(1)
      .max(3)
      .default(1)
      .describe(
        'How far: 1 asks servers that other sources brought, 2 also those that these named, and so on. Each step has a history of its own.',
      ),
    servers: z
      .int()
      .min(1)
      .max(1_000)
      .default(20)
      .describe('How many servers are asked in one reading, drawn by lot; each is asked as a source of its kind.'),
    maxMinutes: z
      .number()
      .min(0.01)
      .max(1_440)
      .default(30)
      .describe('No further server is asked after this time; what came before is kept. In minutes.'),
  })
  .superRefine(({ depth, peers }, context) => {
    if (depth > 1 && !peers)
      context.addIssue({
        code: 'custom',
        path: ['depth'],
        message: '1 without "peers": further steps ask servers whom they know; add "peers": true, or leave "depth" out',
      });
  })
  .describe('Hosts that the crawl itself meets.');
export type CrawledSourceSettings = z.infer<typeof CrawledSourceSettings>;

/** A domain that was visited: what it runs, where it leads, and which source listed it first. */
interface CrawledDomain {
  readonly domain: Domain;
  readonly software: string | null;
  readonly state: string;
  readonly aliasOf: Domain | null;
  readonly canonicalHost: Domain | null;
  readonly discoveredBy: string | null;
}

/** What the crawl knows, a page of domains at a time, by their ids. */
export interface CrawledDomains extends Disposable {
  readonly lastId: number;
  page(after: number, upTo: number): readonly CrawledDomain[];
}

interface CrawledParts {
  open: () => CrawledDomains;
  /** The list of peers that a server publishes. */
  peersOf: (kind: PeersKind, domain: Domain) => Source;
  /** Hosts that are not asked: sources of their own. */
  except: ReadonlySet<string>;
  /** From 0 up to 1. */
  random: () => number;
}

const PAGE = 1_000;

/** One source for each step away from what other sources brought. */
export function createCrawledSources(settings: Readonly<CrawledSourceSettings>, parts: CrawledParts): Source[] {
  const base = settings.id ?? 'crawled';
  const keyOf = (step: number) => (step === 1 ? base : `${base} ${step}`);
  const steps = Array.from({ length: settings.peers ? settings.depth : 1 }, (_, index) => index + 1);
  const keys = new Set(steps.map(keyOf));
  return steps.map((step) => {
    const isBefore = ({ discoveredBy }: CrawledDomain) =>
      step === 1 ? discoveredBy === null || !keys.has(discoveredBy) : discoveredBy === keyOf(step - 1);
    return {
      type: 'crawled',
      key: keyOf(step),
      label: step === 1 ? 'hosts met while crawling' : `hosts met while crawling, step ${step}`,
      host: null,
      read: (context) => read({ settings, parts, isBefore, isFirst: step === 1 }, context),
    };
  });
}

interface Step {
  settings: Readonly<CrawledSourceSettings>;
  parts: CrawledParts;
  /** Whether a server belongs to the step before, and may be asked. */
  isBefore: (crawled: CrawledDomain) => boolean;
  isFirst: boolean;
}

interface Server {
  domain: Domain;
  kind: PeersKind;
}

async function* read(step: Step, context: SourceContext): AsyncGenerator<SourceItem, SourceEnd> {
  const { settings, parts, isFirst } = step;
  const over = AbortSignal.timeout(settings.maxMinutes * 60_000);
  const draw = createDraw(step);
  let line = 0;
  {
    using domains = parts.open();
    for (let after = 0; after < domains.lastId && !context.signal.aborted; after += PAGE) {
      for (const crawled of domains.page(after, after + PAGE)) {
        draw.consider(crawled);
        for (const domain of isFirst ? [crawled.aliasOf, crawled.canonicalHost] : []) {
          if (domain !== null) yield { kind: 'domain', line: ++line, domain, software: null };
        }
      }
      await setImmediate();
    }
  }
  const sum = { requests: 0, bytes: 0, silent: 0, asked: 0 };
  for (const { domain, kind } of draw.servers) {
    if (context.signal.aborted || over.aborted) break;
    sum.asked += 1;
    const end = yield* numbered(parts.peersOf(kind, domain), context, () => ++line);
    sum.requests += end?.requests ?? 0;
    sum.bytes += end?.bytes ?? 0;
    if (end === null) sum.silent += 1;
  }
  const isEmpty = draw.servers.length > 0 && sum.silent === draw.servers.length;
  const isShort = sum.asked < draw.servers.length;
  const why = isEmpty
    ? `none of ${sum.silent} servers told its peers`
    : isShort
      ? `of ${draw.servers.length} servers ${sum.asked} were asked before its time was up`
      : null;
  const outcome = why === null ? 'complete' : 'partial';
  return { outcome, why, etag: null, lastModified: null, requests: sum.requests, bytes: sum.bytes };
}

/** The items of another source under our numbers; null for one that tells nothing, as many servers do not. */
async function* numbered(
  source: Source,
  context: SourceContext,
  next: () => number,
): AsyncGenerator<SourceItem, SourceEnd | null> {
  const reading = source.read({ ...context, previous: null });
  try {
    for (;;) {
      const { done, value } = await reading.next();
      if (done === true) return value;
      yield { ...value, line: next() };
    }
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  } finally {
    await reading.return({ outcome: 'partial', why: null, etag: null, lastModified: null, requests: 0, bytes: 0 });
  }
}

/** Draws servers by lot as they pass, each with the same chance (reservoir sampling). */
function createDraw({ settings, parts, isBefore }: Step) {
  const servers: Server[] = [];
  let considered = 0;
  return {
    servers,
    consider(crawled: CrawledDomain): void {
      const kind = settings.peers && crawled.state === 'active' ? peersKindOf(crawled.software) : null;
      if (kind === null || parts.except.has(crawled.domain) || !isBefore(crawled)) return;
      considered += 1;
      const place = servers.length < settings.servers ? servers.length : Math.floor(parts.random() * considered);
      if (place < settings.servers) servers[place] = { domain: crawled.domain, kind };
    },
  };
}

/** The kinds of source that read whom one server knows. */
type PeersKind = 'mastodon-peers' | 'lemmy-federated' | 'misskey-instances' | 'peertube-follows';

/** By the name that software gives itself in NodeInfo. */
const KINDS: Readonly<Record<string, PeersKind>> = {
  mastodon: 'mastodon-peers',
  hometown: 'mastodon-peers',
  pleroma: 'mastodon-peers',
  akkoma: 'mastodon-peers',
  gotosocial: 'mastodon-peers',
  pixelfed: 'mastodon-peers',
  lemmy: 'lemmy-federated',
  misskey: 'misskey-instances',
  sharkey: 'misskey-instances',
  firefish: 'misskey-instances',
  peertube: 'peertube-follows',
};

/** How a server that runs this is asked for its peers; null when it publishes none, or it is not known how. */
function peersKindOf(software: string | null): PeersKind | null {
  return software !== null && Object.hasOwn(KINDS, software) ? (KINDS[software] ?? null) : null;
}
