import { answerWords } from '../../answer-words.ts';
import { fail, info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { PASS_ON } from './refusal-of.ts';

const CURE = 'Take caches of tokens out, and update Loops:\n\n    php artisan cache:clear';

/** Whether a token that was revoked holds no more. Judged by a deep check alone. */
export const oauthDeepRevoke: Rule = {
  id: 'oauth-deep-revoke',
  area: 'oauth',
  worst: 'fail',
  title: 'A revoked token holds no more',
  checks:
    'With `--deep`: revokes the token, and shows it once more. Fails when the answer says that it is revoked and it still holds; notes a server without revocation.',
  why: 'Who signs out, or has lost a phone, relies on it.',
  sources: ['Specification section 5: Revocation', 'RFC 7009 section 2'],
  cure: CURE,
  judge({ deep }) {
    const revoke = deep?.revoke ?? null;
    if (deep === null || revoke === null || revoke.status === null || revoke.status === 429) return null;
    const said = `POST /oauth/revoke gives ${answerWords(revoke)}`;
    if (revoke.status === 404 || revoke.status === 405)
      return info(`${said}: tokens cannot be revoked. That is how Loops is so far.`);
    if (revoke.status !== 200) return warn(`${said} for a token of the app that asks, and not 200.`, PASS_ON);
    const [before, after] = [deep.self?.status ?? null, deep.selfAfterRevoke?.status ?? null];
    if (after === null || after === 429) return info(`${said}; whether the token still holds was not seen.`);
    if (after === 401) return pass('The token was revoked, and is refused since.');
    // A token without a user is refused anyhow: only that it is told apart from one that holds shows that it is gone.
    if (after === before)
      return before === 403 || after < 300
        ? fail(`${said}, and yet the token still holds: the own account gives ${after}, as before.`, CURE)
        : pass('The token was revoked.');
    return pass(`The token was revoked, and gives ${after} since.`);
  },
};
