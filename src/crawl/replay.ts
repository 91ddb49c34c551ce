import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Decision } from '../identify/decision.ts';
import { interpretConfig, interpretDiscovery, interpretNodeInfo, type NodeInfoResult } from '../identify/documents.ts';
import { type Conclusion, concludeByConfig, concludeByNodeInfo, needsNodeInfo } from '../identify/resolve-verdict.ts';
import type { Domain } from '../model/domain/domain.ts';
import { FACT_LEAVES } from '../model/facts/fact-leaves.ts';
import type { FactValue } from '../model/facts/fact-value.ts';
import type { InstanceFacts } from '../model/facts/instance-facts.ts';
import type { EpochMs } from '../model/time.ts';
import type { DocumentKind } from '../model/visit.ts';
import type { StoredVisit, VisitLog } from '../store/visits/visit-log.ts';

interface VisitRef {
  domain: Domain;
  visitId: number;
  /** Start of the visit. */
  at: EpochMs;
}

/** A value that today's parsers read differently. */
export interface ReplayDifference extends VisitRef {
  /**
   * `verdict`, `reason`, `via`, `software`, `version`, `aliasOf`, `pointsTo`, the path of a fact (`limits.maxBioLength`), or `facts`
   * when all facts would appear or disappear.
   */
  field: string;
  from: FactValue | InstanceFacts;
  to: FactValue | InstanceFacts;
}

/** The result of a replay. Lists hold the first {@link MAX_LISTED} entries; counts are complete. */
export interface ReplayReport {
  end: 'done' | 'stopped';
  /** Visits with stored documents that the replay reached. */
  visits: number;
  changedVisits: number;
  differenceCount: number;
  byField: Record<string, number>;
  /** Today's parsers would request a URL that the visit did not request, so the result is unknown. */
  wouldAskElsewhere: { count: number; visits: VisitRef[] };
  /** A stored document is missing or damaged. */
  damaged: { count: number; visits: (VisitRef & { document: DocumentKind })[] };
}

export interface ReplayOptions {
  /** Compared exactly with the software name of a server. */
  softwareId: string;
  allowSuffixes: readonly string[];
  /** Ends the replay between two domains. */
  signal: AbortSignal;
  /** Called with each difference, domain by domain, oldest visit first; a returned promise is awaited. */
  onDifference: (difference: ReplayDifference) => void | Promise<void>;
}

type Documents = Partial<Record<DocumentKind, Uint8Array>>;

const MAX_LISTED = 10_000;

/**
 * Runs today's parsers over every stored document and reports the differences from the recorded results. Writes nothing. Also returns the
 * domains that a new visit may identify differently.
 */
export async function replay(
  log: VisitLog,
  options: ReplayOptions,
): Promise<{ report: ReplayReport; domains: Domain[] }> {
  const report: ReplayReport = {
    end: 'done',
    visits: 0,
    changedVisits: 0,
    differenceCount: 0,
    byField: {},
    wouldAskElsewhere: { count: 0, visits: [] },
    damaged: { count: 0, visits: [] },
  };
  const domains = new Set<Domain>();
  for (let next = log.nextDomainWithDocuments(0); next !== null; next = log.nextDomainWithDocuments(next.id)) {
    await yieldToEvents();
    if (options.signal.aborted) return { report: { ...report, end: 'stopped' }, domains: [...domains] };
    for (const visit of log.withDocuments(next)) {
      const ref = { domain: visit.domain, visitId: visit.id, at: visit.at };
      report.visits++;
      const documents = documentsOf(visit, log);
      if (typeof documents === 'string') {
        addTo(report.damaged, { ...ref, document: documents });
        continue;
      }
      const conclusion = conclude(visit, documents, options);
      if (conclusion === 'asks-elsewhere') addTo(report.wouldAskElsewhere, ref);
      const differences = typeof conclusion === 'object' ? [...differencesOf(visit, conclusion, documents)] : [];
      if (differences.length > 0) report.changedVisits++;
      if (differences.length > 0 || conclusion === 'asks-elsewhere') domains.add(visit.domain);
      for (const difference of differences) {
        report.differenceCount++;
        report.byField[difference.field] = (report.byField[difference.field] ?? 0) + 1;
        await options.onDifference({ ...ref, ...difference });
      }
    }
  }
  return { report, domains: [...domains] };
}

/** The stored documents of a visit, or the kind of one that is missing or damaged. */
function documentsOf(visit: StoredVisit, log: VisitLog): Documents | DocumentKind {
  const documents: Documents = {};
  for (const [kind, id] of Object.entries(visit.documents) as [DocumentKind, number][]) {
    const document = log.document(id);
    if (document === null) return kind;
    documents[kind] = document.body;
  }
  return documents;
}

/**
 * The conclusion of today's parsers. `stands`: no document names the software, neither then nor now, so the recorded verdict rests on
 * more than documents (a failure, a redirect, robots.txt, the class of a page).
 */
function conclude(
  visit: StoredVisit,
  documents: Documents,
  { softwareId, allowSuffixes }: Pick<ReplayOptions, 'softwareId' | 'allowSuffixes'>,
): Conclusion | 'asks-elsewhere' | 'stands' {
  const { domain, at, via } = visit;
  const answer =
    documents.config === undefined
      ? ({ kind: 'status', status: 404, retryAfterMs: null } as const)
      : ({ kind: 'document', body: documents.config } as const);
  const context = { domain, at, softwareId, allowSuffixes, answer };
  const config = documents.config === undefined ? null : interpretConfig(documents.config);
  const isConfigEnough = config !== null && !needsNodeInfo(config, softwareId);
  const nodeInfo = isConfigEnough ? null : nodeInfoOf(visit, documents);
  if (nodeInfo === 'asks-elsewhere') return nodeInfo;
  if (config !== null) return concludeByConfig(config, nodeInfo, context);
  if (nodeInfo === null) return via === 'config' ? 'asks-elsewhere' : 'stands';
  const conclusion = concludeByNodeInfo(nodeInfo, context);
  return via === null && conclusion.decision.via === null ? 'stands' : conclusion;
}

/** The result of the discovery and NodeInfo documents; null when one is missing. Steps that are no longer stored count as unchanged. */
function nodeInfoOf(
  { domain, steps }: StoredVisit,
  { discovery, nodeinfo }: Documents,
): NodeInfoResult | Decision | 'asks-elsewhere' | null {
  if (discovery === undefined) return null;
  const advertised = interpretDiscovery(discovery, domain);
  if ('verdict' in advertised) return advertised;
  const { url, target } = advertised;
  const requested = steps?.find(({ probe }) => probe === 'nodeinfo')?.url;
  // A step holds at most 500 characters of the URL.
  if (steps !== null && requested !== (url.origin + target).slice(0, 500)) return 'asks-elsewhere';
  return nodeinfo === undefined ? null : interpretNodeInfo(nodeinfo, { domain, url });
}

const FIELDS = ['verdict', 'reason', 'via', 'software', 'version', 'aliasOf'] as const;
/** Software and version are compared as fields of the visit. */
const COMPARED_FACTS = FACT_LEAVES.filter(({ path }) => path !== 'software' && path !== 'version');

function* differencesOf(
  visit: StoredVisit,
  { decision, canonicalHost }: Conclusion,
  documents: Documents,
): Generator<Pick<ReplayDifference, 'field' | 'from' | 'to'>> {
  for (const field of FIELDS)
    if (visit[field] !== decision[field]) yield { field, from: visit[field], to: decision[field] };
  // Without a config document, config may have redirected to the canonical host.
  if (documents.config !== undefined && visit.canonicalHost !== canonicalHost)
    yield { field: 'pointsTo', from: visit.canonicalHost, to: canonicalHost };
  const [before, after] = [visit.facts, decision.facts];
  if (before === null || after === null) {
    if (before !== after) yield { field: 'facts', from: before, to: after };
    return;
  }
  for (const { path, get } of COMPARED_FACTS) {
    const [from, to] = [get(before), get(after)];
    if (!isDeepStrictEqual(from, to)) yield { field: path, from, to };
  }
}

function addTo<T>(list: { count: number; visits: T[] }, visit: T): void {
  list.count++;
  if (list.visits.length < MAX_LISTED) list.visits.push(visit);
}
