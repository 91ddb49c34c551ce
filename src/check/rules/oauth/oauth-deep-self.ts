import { answerWords } from '../../answer-words.ts';
import { jsonOf } from '../../json-of.ts';
import { fail, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { PASS_ON } from './refusal-of.ts';

const CURE =
  'Update Loops, and report it to its developers: a token without a user must not show an account.\n\n    php artisan down';

/** Whether a token without a user shows no account. Judged by a deep check alone. */
export const oauthDeepSelf: Rule = {
  id: 'oauth-deep-self',
  area: 'oauth',
  worst: 'fail',
  title: 'A token without a user shows no account',
  checks:
    'With `--deep`: asks for the own account with the token of the app, which has no user. It should be refused with 401 or 403 in JSON. Fails for an account and for a server error.',
  why: "Anybody can register an app. If its token showed an account, it would be somebody else's.",
  sources: ['Specification section 5', 'RFC 6750 section 3.1'],
  cure: CURE,
  judge({ deep }) {
    const self = deep?.self ?? null;
    if (self === null || self.status === null || self.status === 429) return null;
    const said = `GET /api/v1/account/info/self with a token without a user gives ${answerWords(self)}`;
    if (self.status < 300) return fail(`${said}.`, CURE);
    if (self.status >= 500)
      return fail(
        `${said}.`,
        'The log of Loops says what went wrong; the request has a token whose user is null:\n\n    tail -n 50 storage/logs/laravel.log',
      );
    if ((self.status === 401 || self.status === 403) && jsonOf(self) !== null) return pass(`${said}.`);
    return warn(`${said}, and not 401 or 403 in JSON.`, PASS_ON);
  },
};
