import { isHtml } from '../../documents/is-html.ts';
import { info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { judgeableAnswer, PASS_ON, refusalOf, saidTo } from './refusal-of.ts';

/** Whether tokens can be given back. */
export const oauthRevoke: Rule = {
  id: 'oauth-revoke',
  area: 'oauth',
  worst: 'fail',
  title: 'The endpoint that revokes tokens is there',
  checks:
    'Sends an empty JSON object to `POST /oauth/revoke`. It should be refused in JSON, or answered 200. Notes a server that does not have it, which Loops itself does not yet; else as for the token endpoint.',
  why: 'Who signs out of an app expects that its token is worth nothing from then on. Without this, it holds until it expires.',
  sources: ['Specification section 4, endpoint 3', 'RFC 7009'],
  cure: `Nothing can be done where Loops does not have it. Where it does:\n\n${PASS_ON.slice(PASS_ON.indexOf('    '))}`,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'revoke');
    if (exchange === null) return null;
    const { status } = exchange;
    const said = saidTo('POST /oauth/revoke', exchange);
    if (status === 404 || status === 405)
      return info(`${said}: tokens cannot be given back. That is how Loops is so far.`);
    if (status < 300 && !isHtml(exchange)) return pass(`${said}.`);
    return refusalOf(exchange, said);
  },
};
