import { z } from 'zod';
import { isLocal, originOf } from '../model/domain/domain.ts';
import { InstanceFacts } from '../model/facts/instance-facts.ts';
import { Reason } from '../model/reason.ts';
import { Step } from '../model/step.ts';
import { Verdict, Via } from '../model/verdict.ts';
import { Severity } from '../report/severity.ts';
import type { Evidence } from './evidence.ts';
import { whyOffline } from './reachability.ts';
import { AREAS } from './rule.ts';

/** The result of one rule for one server. */
export const Finding = z.object({
  id: z.string().describe('Id of the rule; stable.'),
  area: z.enum(AREAS).describe('Part of the server that the rule examines.'),
  severity: Severity.describe('How bad it is: pass, info, warn, or fail.'),
  title: z.string().describe('The claim that is true when the rule passes.'),
  detail: z.string().describe('What was found.'),
  cure: z.string().nullable().describe('Cure with lines to paste; null when there is nothing to cure.'),
});
export type Finding = z.infer<typeof Finding>;

/** A rule that was selected and found nothing, good or bad. */
export const NotJudged = Finding.pick({ id: true, area: true, title: true });
export type NotJudged = z.infer<typeof NotJudged>;

/** What one kind of client sees of the server. */
export const ClientView = z.object({
  client: z
    .enum(['loopscout', 'official-app', 'nodeinfo-strict', 'nodeinfo-best-effort'])
    .describe(
      'The client: this crawler, the official app before sign-in, a NodeInfo client that accepts only what version 2.0 allows, or a lenient one.',
    ),
  sees: z
    .enum(['service', 'other', 'nothing'])
    .describe('Whether it identifies the server as Loops, as other software, or not at all.'),
  software: z.string().nullable().describe('The software name that it reads; null when it reads none.'),
  version: z.string().nullable().describe('The version that it reads; null when it reads none.'),
  why: z.string().describe('Why it sees this.'),
});
export type ClientView = z.infer<typeof ClientView>;

const instance = InstanceFacts.omit({ notes: true, gifProviderBrand: true });

/** The operator's report, version 1: fields are only added, never removed or changed. */
export const Report = z.object({
  schemaVersion: z.literal(1).describe('Version of this schema.'),
  tool: z.string().describe('Name and version of the program that made the report.'),
  domain: z
    .string()
    .describe('Host name in A-label form, with the port when it is not 443; for a local server, its loopback host.'),
  checkedAt: z.iso.datetime().describe('Start of the check.'),
  durationMs: z.number().int().describe('Duration in milliseconds.'),
  requests: z.number().int().describe('HTTP requests sent, including those of the identification.'),
  local: z
    .boolean()
    .describe(
      'Whether it is a server on the checking machine, reached over plain http: then DNS, TLS and reachability from outside are not judged.',
    ),
  offline: z
    .boolean()
    .describe(
      'Whether the checking machine is offline: then nothing in the report, including the verdict, describes the server.',
    ),
  cutShort: z.string().nullable().describe('Why some requests were not sent; null when all were.'),
  verdict: Verdict.describe('Verdict of a crawl.'),
  reason: Reason.describe('Reason for the verdict.'),
  via: Via.nullable().describe('The probe that identified the software; null when none did.'),
  software: z.string().nullable().describe('Reported software; null when unknown.'),
  version: z.string().nullable().describe('Reported version; null when unknown.'),
  aliasOf: z.string().nullable().describe('The host that it redirects to; null unless the verdict is alias.'),
  steps: z.array(Step).describe('Requests of the identification, in order.'),
  instance: z
    .object({ domain: z.string(), url: z.string(), ...instance.shape })
    .nullable()
    .describe('Facts that a directory would show; null unless the verdict is loops.'),
  clients: z
    .array(ClientView)
    .describe(
      'What each kind of client sees of the server; empty for a local server, when offline, and when the selected rules request too few documents.',
    ),
  counts: z
    .object({ pass: z.number().int(), info: z.number().int(), warn: z.number().int(), fail: z.number().int() })
    .describe('Number of findings of each severity.'),
  findings: z.array(Finding).describe('One per rule that applies to the server: fails first, then by area.'),
  notJudged: z
    .array(NotJudged)
    .default([])
    .describe(
      'The selected rules without a finding: they do not apply to the server, their subject is missing, or another rule reports the cause.',
    ),
});
export type Report = z.infer<typeof Report>;

/**
 * Whether the server is a Loops server without a `fail`, and with `isStrict` also without a `warn`. The exit code follows this.
 */
export function isGreen({ verdict, counts }: Report, isStrict: boolean): boolean {
  return verdict === 'loops' && counts.fail === 0 && (!isStrict || counts.warn === 0);
}

interface ReportInput {
  evidence: Evidence;
  /** In report order. */
  findings: readonly Finding[];
  notJudged: readonly NotJudged[];
  clients: readonly ClientView[];
  /** Name and version of Loopscout. */
  tool: string;
  requests: number;
  durationMs: number;
}

export function reportOf({ evidence, findings, notJudged, clients, tool, requests, durationMs }: ReportInput): Report {
  const { domain, at, visit, incompleteReason } = evidence;
  const offline = whyOffline(evidence) !== null;
  const { verdict, reason, via, software, version, aliasOf, steps } = visit;
  return {
    schemaVersion: 1,
    tool,
    domain,
    checkedAt: new Date(at).toISOString(),
    durationMs: Math.round(durationMs),
    requests,
    local: isLocal(domain),
    offline,
    cutShort: incompleteReason,
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
    notJudged: [...notJudged],
  };
}

function instanceOf({ domain, visit }: Evidence): Report['instance'] {
  if (visit.facts === null) return null;
  const { notes: _notes, gifProviderBrand: _brand, ...shown } = visit.facts;
  return { domain, url: originOf(domain), ...shown };
}

export function countsOf(findings: readonly Finding[]): Report['counts'] {
  const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  return { pass: count('pass'), info: count('info'), warn: count('warn'), fail: count('fail') };
}
