import { cleanIdentifier } from '../model/text/clean-text.ts';
import type { Severity } from '../report/severity.ts';
import type { Evidence } from './evidence.ts';

/** What a server sent in a header or a line, safe to show and cut where it is long. */
export function showText(text: string): string {
  return cutTo(120, text);
}

/** A value that a server sent, as JSON, safe to show and cut where it is long. */
export function showValue(value: unknown): string {
  return cutTo(80, JSON.stringify(value) ?? 'nothing');
}

function cutTo(most: number, text: string): string {
  const clean = cleanIdentifier(text, most + 1);
  return clean.length > most ? `${clean.slice(0, most).toWellFormed()}…` : clean;
}

const MOST_NAMED = 10;

/** All of them in one sentence, but at most ten: `a, b and 3 more`. Parts that have commas of their own take `; ` between them. */
export function nameAll(items: readonly string[], between: ', ' | '; ' = ', '): string {
  const named = items.slice(0, MOST_NAMED);
  const more = items.length - named.length;
  return more > 0 ? `${named.join(between)} and ${more} more` : named.join(between);
}

/** The parts of a server that rules look at, in the order of a report. */
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

/** The areas as an operator calls them. */
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

/** One thing that can be wrong with a server, and how to cure it. */
export interface Rule {
  /** Stable, in kebab case, beginning with the area where that helps: `tls-expiry`. */
  id: string;
  area: Area;
  /** The worst that it finds. */
  worst: Exclude<Severity, 'pass'>;
  /** The claim that holds when it passes: "The certificate is valid for two weeks more". */
  title: string;
  /** What is looked at, and when it is how bad. Markdown. */
  checks: string;
  /** Why it matters, and to whom: clients, directories, federation. Markdown. */
  why: string;
  /** Specification sections, RFCs, schemas. */
  sources: readonly string[];
  /** What an operator can do, with what to paste. Markdown; the cure of a finding is of the server at hand. */
  cure: string;
  /** `loops`: its cures are for an installation of Loops, and a server of other software gets a general one. Default: they are for any server. */
  cureFor?: 'loops';
  /** Null where the rule has nothing to say: it does not concern this server, or what it looks at is not there. */
  judge(evidence: Evidence): Judgement | null;
}

export type Judgement =
  | { severity: 'pass' | 'info'; detail: string }
  /** `cure` says what to do, with lines to paste. */
  | { severity: 'warn' | 'fail'; detail: string; cure: string };

export function pass(detail: string): Judgement {
  return { severity: 'pass', detail };
}

export function info(detail: string): Judgement {
  return { severity: 'info', detail };
}

export function warn(detail: string, cure: string): Judgement {
  return { severity: 'warn', detail, cure };
}

export function fail(detail: string, cure: string): Judgement {
  return { severity: 'fail', detail, cure };
}
