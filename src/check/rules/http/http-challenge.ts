import { challengeOf } from '../../challenge-of.ts';
import { fail, info, pass } from '../../judgement.ts';
import { nameRequests } from '../../name-requests.ts';
import { ownAnswers } from '../../own-answers.ts';
import type { RequestName } from '../../request-name.ts';
import type { Rule } from '../../rule.ts';

/** Addresses that people look at, where a challenge keeps no app out. */
const PAGES: ReadonlySet<RequestName> = new Set<RequestName>(['home', 'home-www', 'unknown-page', 'authorize']);

const CLOUDFLARE =
  'In Cloudflare, under Security, WAF, Custom rules, add a rule above the others with the action Skip (all remaining custom rules, rate limiting, managed rules, Super Bot Fight Mode) for:\n\n    starts_with(http.request.uri.path, "/api/") or starts_with(http.request.uri.path, "/.well-known/") or starts_with(http.request.uri.path, "/nodeinfo/") or starts_with(http.request.uri.path, "/oauth/") or starts_with(http.request.uri.path, "/ap/") or http.request.uri.path eq "/robots.txt"\n\nBot Fight Mode of the free plan cannot be skipped by a rule: turn it off. "Under Attack" mode challenges everybody, and is for an attack alone.';
const ANUBIS =
  'In the policy of Anubis, let what programs ask for through, above the other rules:\n\n    - name: fediverse\n      path_regex: ^/(api|\\.well-known|nodeinfo|oauth|ap)/.*$|^/robots\\.txt$\n      action: ALLOW';
const ANY =
  'Let the proxy in front pass these paths on without a challenge: programs ask for them, and cannot solve one:\n\n    /api/  /.well-known/  /nodeinfo/  /oauth/  /ap/  /robots.txt';

/** Whether a proxy in front lets programs through. */
export const httpChallenge: Rule = {
  id: 'http-challenge',
  area: 'http',
  worst: 'fail',
  title: 'No challenge page stands before the API',
  checks:
    'Looks for the challenge pages of Cloudflare, Anubis and other proxies where documents were asked for. Fails when one came for the API, NodeInfo or another address for programs; notes one on pages alone.',
  why: 'A challenge wants to see a browser. Apps, other servers and directories are none: to them the server is down, though its operator sees it well.',
  sources: [
    'https://developers.cloudflare.com/waf/custom-rules/skip/',
    'https://anubis.techaro.lol/docs/admin/policies',
  ],
  cure: `${CLOUDFLARE}\n\n${ANUBIS}`,
  judge(evidence) {
    const asked = ownAnswers(evidence).filter(({ exchange }) => exchange.status !== null);
    if (asked.length === 0) return null;
    const held = asked.flatMap(({ name, exchange }) => {
      const challenge = challengeOf(exchange);
      return challenge === null ? [] : [{ name, exchange, by: challenge.by }];
    });
    if (held.length === 0) return pass('Nothing asked for a browser.');
    const by = held.find((each) => each.by !== null)?.by ?? null;
    const whose = by === null ? 'A challenge page' : `A challenge page of ${by}`;
    const named = nameRequests(
      held.map(({ exchange }) => exchange),
      asked.map(({ exchange }) => exchange),
      evidence,
    );
    if (held.every(({ name }) => PAGES.has(name))) return info(`${whose} came for pages alone: ${named}.`);
    const cure = by === 'Cloudflare' ? CLOUDFLARE : by === 'Anubis' ? ANUBIS : ANY;
    return fail(`${whose} came in place of the answer to ${named}.`, cure);
  },
};
