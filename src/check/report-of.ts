import { originOf } from '../domain/domain.ts';
import { countsOf } from './counts-of.ts';
import type { Evidence } from './evidence.ts';
import type { ClientView, Finding, Report } from './report.ts';
import { whyOffline } from './why-offline.ts';

export interface ReportSources {
  evidence: Evidence;
  /** In the order of the report. */
  findings: readonly Finding[];
  clients: readonly ClientView[];
  /** Name and version of what makes the report. */
  tool: string;
  requests: number;
  durationMs: number;
}

/** Puts the report together. */
export function reportOf({ evidence, findings, clients, tool, requests, durationMs }: ReportSources): Report {
  const { domain, at, visit, cutShort } = evidence;
  const offline = whyOffline(evidence) !== null;
  const { verdict, reason, via, software, version, aliasOf, steps } = visit;
  return {
    schemaVersion: 1,
    tool,
    domain,
    checkedAt: new Date(at).toISOString(),
    durationMs: Math.round(durationMs),
    requests,
    offline,
    cutShort,
    verdict,
    reason,
    via,
    software,
    version,
    aliasOf,
    steps: [...steps],
    instance: instanceOf(evidence),
    clients: offline ? [] : [...clients],
    counts: countsOf(findings),
    findings: [...findings],
  };
}

/** As a directory would show it. */
function instanceOf({ domain, visit }: Evidence): Report['instance'] {
  if (visit.facts === null) return null;
  const { notes: _notes, gifProviderBrand: _brand, ...shown } = visit.facts;
  return { domain, url: originOf(domain), ...shown };
}
