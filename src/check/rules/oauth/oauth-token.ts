import { fail } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { tokenIn } from '../../token-in.ts';
import { judgeableAnswer, PASS_ON, refusalOf, saidTo } from './refusal-of.ts';

/** Whether tokens are asked for where the specification says, and not given for nothing. */
export const oauthToken: Rule = {
  id: 'oauth-token',
  area: 'oauth',
  worst: 'fail',
  title: 'The token endpoint refuses an empty request, and says why',
  checks:
    'Sends an empty JSON object to `POST /oauth/token`. It should answer 400, 401 or 422 in JSON with `error` or `message`. Fails for a token, any other success, 404, 405 and an expired form (419); warns for what is not JSON.',
  why: 'Each app exchanges its code for a token here. What is wrong with this address keeps every app out, and shows only as "sign-in failed".',
  sources: ['Specification section 4.2', 'RFC 6749 section 5.2'],
  cure: PASS_ON,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'token');
    if (exchange === null) return null;
    const said = saidTo('POST /oauth/token', exchange);
    if (tokenIn(exchange) !== null) {
      return fail(
        `${said}, and with a token, though nothing was shown for it.`,
        'Take the server off the net until it is known why. Something in front of Loops may add credentials to requests: take `Authorization` out of what the proxy sets.\n\n    php artisan down',
      );
    }
    return refusalOf(exchange, said);
  },
};
