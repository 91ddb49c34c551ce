import { parseHref } from '../../../identify/parse-href.ts';
import { isShared } from '../../../identify/shared-failure.ts';
import { REASONS } from '../../../record/reason.ts';
import { answerCure } from '../../answer-cure.ts';
import { circleOf } from '../../documents/circle-of.ts';
import { discoveryOf } from '../../documents/discovery-of.ts';
import { documentOf } from '../../documents/document-of.ts';
import { linkOf20 } from '../../documents/links-of.ts';
import { namesAppUrl } from '../../documents/names-app-url.ts';
import { showText } from '../../documents/show-text.ts';
import { fail, pass, warn } from '../../judgement.ts';
import { RATE_LIMIT_CURE, rateLimitWords } from '../../rate-limit-words.ts';
import type { Rule } from '../../rule.ts';
import { nodeInfoHref } from './nodeinfo-href.ts';

const cure = `Serve the document at the address that discovery names, without a redirect and without a sign-in. In the server block of nginx:

    location ^~ /nodeinfo/ { try_files $uri /index.php?$query_string; }

Then let Loops make its list of routes anew:

    php artisan route:clear`;

export const nodeInfoDocument: Rule = {
  id: 'nodeinfo-document',
  area: 'nodeinfo',
  worst: 'fail',
  title: 'The NodeInfo document answers at its address',
  checks:
    'A request for the `href` of the 2.0 entry, exactly as it is given, answers 200. A redirect within the host warns; another host, any other status and silence fail.',
  why: 'Discovery without a document is a dead end: no directory learns users and posts, and one that reads NodeInfo alone learns nothing.',
  sources: ['Interface specification 4.4 and 2.7'],
  cure,
  judge(evidence) {
    const discovery = discoveryOf(evidence);
    const { nodeinfo } = evidence.answers;
    if (discovery === null || nodeinfo === null) return null;
    // An address that cannot be followed is what is wrong, and not that nothing came of it.
    if (nodeInfoHref.judge(evidence)?.severity === 'fail') return null;
    const given = linkOf20(discovery)?.href;
    const href = typeof given === 'string' ? parseHref(given) : null;
    if (href !== null && namesAppUrl(href.url, evidence) && documentOf(nodeinfo).kind !== 'object') return null;
    const where =
      href === null || href.url.host === evidence.domain ? (href?.target ?? '') : href.url.host + href.target;
    const what = `The NodeInfo document at ${showText(where)}`;
    const reading = documentOf(nodeinfo);
    // An address of the server's own making is never part of a line to paste.
    const isOwn = href !== null && href.url.host === evidence.domain;
    const cureAtHand = (isOwn ? answerCure(reading, evidence.domain, '/nodeinfo/2.0') : null) ?? cure;
    switch (reading.kind) {
      case 'unasked':
      case 'challenge':
        return null;
      case 'failure':
        if (isShared(reading.failure) && href?.url.host === evidence.domain) return null;
        return fail(`${what} gave no usable answer: ${REASONS[reading.failure].means}.`, cureAtHand);
      case 'redirect': {
        const circle = circleOf(nodeinfo);
        if (circle !== null) return fail(`${what} ${circle}.`, cure);
        if (isUpgrade(href?.url ?? null, reading.to)) return pass('It does, by https.');
        if (reading.to !== null && reading.to.host === href?.url.host && reading.to.protocol === 'https:')
          return warn(`${what} redirects to ${showText(reading.to.pathname)}.`, cure);
        return fail(
          `${what} redirects to ${showText(reading.to?.href ?? reading.location)}, where it is not read.`,
          cure,
        );
      }
      case 'status':
        if (reading.status === 429)
          return fail(`${what} answers 429 Too Many Requests. ${rateLimitWords(nodeinfo, evidence)}`, RATE_LIMIT_CURE);
        return fail(`${what} answers ${reading.status}.`, cureAtHand);
      default:
        if (isUpgrade(href?.url ?? null, new URL(nodeinfo.url))) return pass('It does, by https.');
        if (nodeinfo.followed.length > 0)
          return warn(`${what} redirects to ${showText(new URL(nodeinfo.url).pathname)}.`, cure);
        return pass('It does.');
    }
  },
};

/** A redirect from http to the same address by https: that the address is plain http has a rule of its own. */
function isUpgrade(from: URL | null, to: URL | null): boolean {
  if (from === null || to === null || from.protocol !== 'http:' || to.protocol !== 'https:') return false;
  return from.hostname === to.hostname && from.pathname === to.pathname;
}
