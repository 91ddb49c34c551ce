import { cleanIdentifier } from '../model/text/clean-text.ts';
import type { Severity } from '../report/severity.ts';
import type { Evidence } from './evidence.ts';

/** A header or line from a server, safe to show and shortened. */
export function showText(text: string): string {
  return shorten(text, 120);
}

/** A value from a server as JSON, safe to show and shortened. */
export function showValue(value: unknown): string {
  return shorten(JSON.stringify(value) ?? 'nothing', 80);
}

function shorten(text: string, maxLength: number): string {
  const clean = cleanIdentifier(text, maxLength + 1);
  return clean.length > maxLength ? `${clean.slice(0, maxLength).toWellFormed()}…` : clean;
}

const MAX_NAMED = 10;

/** Joins at most ten items: `a, b and 3 more`. For items that contain commas, the separator is `; `. */
export function listItems(items: readonly string[], separator: ', ' | '; ' = ', '): string {
  const named = items.slice(0, MAX_NAMED);
  const more = items.length - named.length;
  return more > 0 ? `${named.join(separator)} and ${more} more` : named.join(separator);
}

/** The parts of a server that rules examine, in report order. */
export const AREAS = [
  'dns',
  'tls',
  'http',
  'robots',
  'config',
  'nodeinfo',
  'agreement',
  'api',
  'oauth',
  'federation',
] as const;
export type Area = (typeof AREAS)[number];

export const AREA_NAMES: Readonly<Record<Area, string>> = {
  dns: 'DNS',
  tls: 'TLS',
  http: 'HTTP',
  robots: 'robots.txt',
  config: 'configuration',
  nodeinfo: 'NodeInfo',
  agreement: 'agreement',
  api: 'API',
  oauth: 'OAuth',
  federation: 'federation',
};

/** A rule of the check: one possible fault of a server, and its cure. */
export interface Rule {
  /** Stable, in kebab case, beginning with the area: `tls-expiry`. */
  id: string;
  /** The worst severity that it can find. */
  worst: Exclude<Severity, 'pass'>;
  /** The claim that is true when it passes: "The certificate is signed by a trusted authority". */
  title: string;
  /** What it examines, and when it finds which severity. Markdown. */
  checks: string;
  /** Why it matters to clients, directories or federation. Markdown. */
  why: string;
  /** Specification sections, RFCs, schemas. */
  sources: readonly string[];
  /** The general cure, with lines to paste. Markdown. A finding may have a cure that is specific to the server. */
  cure: string;
  /** `loops`: the cures are for Loops only; for other software, a general text replaces them. Default: the cures are for any server. */
  cureFor?: 'loops';
  /** Null when the rule does not apply to this server, its subject is missing, or another rule reports the cause. */
  judge(evidence: Evidence): Judgement | null;
}

export function areaOf({ id }: Pick<Rule, 'id'>): Area {
  const area = AREAS.find((one) => id.startsWith(`${one}-`));
  if (area === undefined) throw new Error(`the id ${id} begins with no area`);
  return area;
}

export interface Judgement {
  severity: Severity;
  detail: string;
  /** Lines to paste for `warn` and `fail`. Default: the cure of the rule. */
  cure?: string | null;
}

export function pass(detail: string): Judgement {
  return { severity: 'pass', detail };
}

export function info(detail: string): Judgement {
  return { severity: 'info', detail };
}

export function warn(detail: string, cure?: string | null): Judgement {
  return { severity: 'warn', detail, cure };
}

export function fail(detail: string, cure?: string | null): Judgement {
  return { severity: 'fail', detail, cure };
}
