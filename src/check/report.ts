import { z } from 'zod';
import { originOf } from '../model/domain/domain.ts';
import { InstanceFacts } from '../model/facts/instance-facts.ts';
import { Reason } from '../model/reason.ts';
import { Step } from '../model/step.ts';
import { Verdict, Via } from '../model/verdict.ts';
import { Severity } from '../report/severity.ts';
import type { Evidence } from './evidence.ts';
import { whyOffline } from './reachability.ts';
import { AREAS } from './rule.ts';

/** What one rule says of one server. */
export const Finding = z.object({
  id: z.string().describe('Id of the rule; stable.'),
  area: z.enum(AREAS).describe('Part of the server that the rule looks at.'),
  severity: Severity.describe('How bad it is: pass, info, warn, or fail.'),
  title: z.string().describe('The claim that holds when the rule passes.'),
  detail: z.string().describe('What was found.'),
  cure: z.string().nullable().describe('What to do, with lines to paste; null when there is nothing to cure.'),
});
export type Finding = z.infer<typeof Finding>;

/** How one kind of client would see the server. */
export const ClientView = z.object({
  client: z
    .enum(['loopscout', 'official-app', 'nodeinfo-strict', 'nodeinfo-best-effort'])
    .describe(
      'Which client: this crawler; the official app before signing in; one that refuses what NodeInfo 2.0 does not allow; one that takes what it can.',
    ),
  sees: z
    .enum(['service', 'other', 'nothing'])
    .describe('Whether it takes the server for one of the service, for another software, or for none.'),
  software: z.string().nullable().describe('The software that it reads; null when it reads none.'),
  version: z.string().nullable().describe('The version that it reads; null when it reads none.'),
  why: z.string().describe('Why it sees that.'),
});
export type ClientView = z.infer<typeof ClientView>;

const instance = InstanceFacts.omit({ notes: true, gifProviderBrand: true });

/** The operator's report. Version 1 of its schema: fields are added, never taken away or changed. */
export const Report = z.object({
  schemaVersion: z.literal(1).describe('Version of this schema.'),
  tool: z.string().describe('Name and version of what made the report.'),
  domain: z.string().describe('Host name in A-label form, with the port when it is not 443.'),
  checkedAt: z.iso.datetime().describe('When the check began.'),
  durationMs: z.number().int().describe('How long it took, in milliseconds.'),
  requests: z.number().int().describe('HTTP requests that were sent, those of the identification included.'),
  offline: z
    .boolean()
    .describe(
      'Whether the machine that checks is offline: then nothing here, the verdict included, says anything of the server.',
    ),
  cutShort: z.string().nullable().describe('Why not everything was asked; null when everything was.'),
  verdict: Verdict.describe('What a crawl says of the server.'),
  reason: Reason.describe('Why.'),
  via: Via.nullable().describe('The probe that told the software; null when none did.'),
  software: z.string().nullable().describe('The software that it names; null when unknown.'),
  version: z.string().nullable().describe('The version that it names; null when unknown.'),
  aliasOf: z.string().nullable().describe('The host that it redirects to; null unless the verdict is alias.'),
  steps: z.array(Step).describe('What the identification did, in order.'),
  instance: z
    .object({ domain: z.string(), url: z.string(), ...instance.shape })
    .nullable()
    .describe('What a directory would show; null unless the verdict is loops.'),
  clients: z
    .array(ClientView)
    .describe(
      'How other software would see the server; empty when the rules that were chosen do not need what tells it.',
    ),
  counts: z
    .object({ pass: z.number().int(), info: z.number().int(), warn: z.number().int(), fail: z.number().int() })
    .describe('How many findings of each severity there are.'),
  findings: z.array(Finding).describe('One for each rule that concerns the server: fails first, then by area.'),
});
export type Report = z.infer<typeof Report>;

/** The JSON Schema (draft 2020-12) of what `check --json` prints, as text. A later version may add fields. */
export function reportSchema(): string {
  const schema = z.toJSONSchema(Report, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const { $schema, ...rest } = schema;
  const named = { $schema, $id: 'urn:loopscout:schema:check-report:1', title: 'Report of loopscout check', ...rest };
  return `${JSON.stringify(named, null, 2)}\n`;
}

/**
 * Whether nothing is wrong that counts: the server is one of the service and no finding is `fail`, nor `warn` where that counts
 * too. What the exit code and the badge say.
 */
export function isGreen({ verdict, counts }: Pick<Report, 'verdict' | 'counts'>, isStrict: boolean): boolean {
  return verdict === 'loops' && counts.fail === 0 && (!isStrict || counts.warn === 0);
}

interface ReportSources {
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

/** How many findings of each severity there are. */
export function countsOf(findings: readonly Finding[]): Report['counts'] {
  const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  return { pass: count('pass'), info: count('info'), warn: count('warn'), fail: count('fail') };
}
