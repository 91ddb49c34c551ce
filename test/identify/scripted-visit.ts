import { expect } from 'vitest';
import type { HttpFailure } from '../../src/http/failure.ts';
import type { HttpResult, VisitClient } from '../../src/http/visit-client.ts';
import { type IdentifyOptions, identify } from '../../src/identify/identify.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import { parseDomain } from '../../src/model/domain/parse-domain.ts';
import { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import { REASONS } from '../../src/model/reason.ts';
import { Step } from '../../src/model/step.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import type { Visit } from '../../src/model/visit.ts';

/** The scripted answer to one request. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string | Uint8Array } | HttpFailure;

/**
 * Replies by path on the visited host, or by whole URL on another. A list is answered in turn. What is not in the script
 * may not be asked for, but for robots.txt, which is then 404.
 */
export type Script = Record<string, Reply | Reply[]>;

export const CONFIG = '/api/v1/config';
export const DISCOVERY = '/.well-known/nodeinfo';
export const NODEINFO = '/nodeinfo/2.0';
export const ROBOTS = '/robots.txt';

export const json = (document: unknown, status = 200): Reply => ({ status, body: JSON.stringify(document) });
export const html: Reply = { status: 200, body: '<!doctype html><div id="app"></div>' };
export const status = (code: number, headers: Record<string, string> = {}): Reply => ({ status: code, headers });
export const redirect = (location: string, code = 301): Reply => ({ status: code, headers: { location } });
export const robots = (text: string): Reply => ({ status: 200, body: text });

/** A discovery document that advertises these hrefs as 2.0. */
export const links = (...hrefs: unknown[]): Reply =>
  json({ links: hrefs.map((href) => ({ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href })) });

/** A host whose NodeInfo is this document at the usual path. */
export const nodeInfoAt = (document: unknown, domain = 'server.example'): Script => ({
  [DISCOVERY]: links(`https://${domain}${NODEINFO}`),
  [NODEINFO]: json(document),
});

export function domainOf(text: string): Domain {
  const parse = parseDomain(text, { allowSuffixes: ['example'] });
  if (!parse.ok) throw new Error(parse.detail);
  return parse.domain;
}

export interface ScriptedVisit {
  visit: Visit;
  /** The requests in order: paths of the visited host, full URLs of others. */
  asked: string[];
  /** The Accept header of each request. */
  accepted: string[];
  /** Number of pauses before a retry. */
  pauses: number;
  /** Waits between requests, in milliseconds. */
  rests: number[];
}

export const VISITED_AT = Date.UTC(2026, 7, 1, 12);

/** The robots.txt of a script without one: 404, unless the host does not answer at all. */
function robotsOf(script: Script, key: string): Reply {
  const origin = key.slice(0, -ROBOTS.length);
  const [, silence] = Object.entries(script).find(([url]) => origin !== '' && url.startsWith(`${origin}/`)) ?? [];
  return typeof silence === 'string' ? silence : status(404);
}

/** A complete visit to scripted hosts. Checks that every visit uses the vocabularies. */
export async function visitScript(
  script: Script,
  options: Partial<IdentifyOptions> & { domain?: string } = {},
): Promise<ScriptedVisit> {
  const domain = domainOf(options.domain ?? 'server.example');
  const asked: string[] = [];
  const accepted: string[] = [];
  const rests: number[] = [];
  let pauses = 0;
  const turns = new Map<string, number>();
  const client: VisitClient = {
    get: async (url, { accept, target = url.href.slice(url.origin.length) }): Promise<HttpResult> => {
      const key = url.origin === `https://${domain}` ? target : url.origin + target;
      asked.push(key);
      accepted.push(accept);
      const scripted = script[key] ?? (key.endsWith(ROBOTS) ? robotsOf(script, key) : undefined);
      if (scripted === undefined) throw new Error(`The script has no answer for ${key}.`);
      const turn = turns.get(key) ?? 0;
      turns.set(key, turn + 1);
      const reply = Array.isArray(scripted) ? scripted[Math.min(turn, scripted.length - 1)] : scripted;
      if (reply === undefined || typeof reply === 'string') {
        return { kind: 'failure', failure: reply ?? 'visit-timeout', status: null, ms: 1.4, bytes: 0 };
      }
      const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : (reply.body ?? new Uint8Array());
      return { kind: 'answer', status: reply.status, headers: reply.headers ?? {}, body, ms: 1.4, bytes: body.length };
    },
    certificateOf: () => null,
    wait: async (ms) => {
      rests.push(ms);
    },
    close: () => undefined,
  };
  const visit = await identify(
    createVisitBuilder(
      domain,
      () => VISITED_AT,
      () => 0,
    ),
    client,
    {
      softwareId: 'loops',
      robots: 'standard',
      allowSuffixes: ['example'],
      now: () => VISITED_AT,
      pause: async () => {
        pauses += 1;
      },
      ...options,
    },
  );
  expectVocabulary(visit);
  return { visit, asked, accepted, pauses, rests };
}

/** Invariants of every visit: the reason fits the verdict, and each part is present exactly when the verdict has it. */
export function expectVocabulary({ verdict, reason, via, software, facts, aliasOf, steps }: Visit): void {
  const allowed: readonly Verdict[] = REASONS[reason].verdicts;
  expect(allowed).toContain(verdict);
  const isNamed = verdict === 'loops' || verdict === 'other';
  expect(via).toBe(isNamed ? reason.replace('-software', '') : null);
  expect(software === null).toBe(!isNamed);
  expect(facts === null).toBe(verdict !== 'loops');
  expect(aliasOf === null).toBe(verdict !== 'alias');
  if (facts !== null) expect(InstanceFacts.parse(facts)).toEqual(facts);
  for (const step of steps) expect(Step.parse(step)).toEqual(step);
}
