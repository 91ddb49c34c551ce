import { expect } from 'vitest';
import type { HttpFailure } from '../../src/http/failure.ts';
import type { HttpResult, VisitClient } from '../../src/http/visit-client.ts';
import { identify } from '../../src/identify/identify.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import type { VisitContext } from '../../src/identify/visit-context.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import { parseDomain } from '../../src/model/domain/parse-domain.ts';
import { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import { REASONS } from '../../src/model/reason.ts';
import { Step } from '../../src/model/step.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import type { Visit } from '../../src/model/visit.ts';
import { visitContext } from './visit-context.ts';

/** The scripted response to one request. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string | Uint8Array } | HttpFailure;

/**
 * Replies by path on the visited host, or by whole URL on another. The replies of a list are used in order, the last
 * one repeatedly. A request that is not in the script throws, except for robots.txt (see `robotsOf`).
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
  requested: string[];
  /** The Accept header of each request, in the same order. */
  acceptHeaders: string[];
  /** Waits between requests, in milliseconds. */
  waits: number[];
}

export const VISITED_AT = Date.UTC(2026, 7, 1, 12);

/** The reply to a request for robots.txt that the script does not contain: the failure of the host's other URLs, or else 404. */
function robotsOf(script: Script, key: string): Reply {
  const origin = key.slice(0, -ROBOTS.length);
  const [, otherReply] = Object.entries(script).find(([url]) => origin !== '' && url.startsWith(`${origin}/`)) ?? [];
  return typeof otherReply === 'string' ? otherReply : status(404);
}

/** A complete visit to scripted hosts. Asserts that the visit is consistent. */
export async function visitScript(
  script: Script,
  options: Partial<VisitContext> & { domain?: string } = {},
): Promise<ScriptedVisit> {
  const domain = domainOf(options.domain ?? 'server.example');
  const requested: string[] = [];
  const acceptHeaders: string[] = [];
  const waits: number[] = [];
  const counts = new Map<string, number>();
  const client: VisitClient = {
    get: async (url, { accept, target = url.href.slice(url.origin.length) }): Promise<HttpResult> => {
      const key = url.origin === `https://${domain}` ? target : url.origin + target;
      requested.push(key);
      acceptHeaders.push(accept);
      const scripted = script[key] ?? (key.endsWith(ROBOTS) ? robotsOf(script, key) : undefined);
      if (scripted === undefined) throw new Error(`The script has no answer for ${key}.`);
      const index = counts.get(key) ?? 0;
      counts.set(key, index + 1);
      const reply = Array.isArray(scripted) ? scripted[Math.min(index, scripted.length - 1)] : scripted;
      if (reply === undefined || typeof reply === 'string') {
        return { kind: 'failure', failure: reply ?? 'visit-timeout', status: null, ms: 1.4, bytes: 0 };
      }
      const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : (reply.body ?? new Uint8Array());
      return { kind: 'answer', status: reply.status, headers: reply.headers ?? {}, body, ms: 1.4, bytes: body.length };
    },
    addressesOf: async () => [],
    certificateOf: () => null,
    answeredAt: () => null,
    wait: async (ms) => {
      waits.push(ms);
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
    visitContext({ now: () => VISITED_AT, ...options }),
  );
  expectConsistentVisit(visit);
  return { visit, requested, acceptHeaders, waits };
}

/** Asserts that the reason belongs to the verdict, and that each part is present exactly when the verdict requires it. */
export function expectConsistentVisit({ verdict, reason, via, software, facts, aliasOf, steps }: Visit): void {
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
