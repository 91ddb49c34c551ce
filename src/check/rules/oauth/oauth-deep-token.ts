import { property } from '../../../identify/json.ts';
import { answerWords } from '../../answer-words.ts';
import { jsonOf } from '../../json-of.ts';
import { fail, info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { tokenIn } from '../../token-in.ts';
import { PASS_ON } from './refusal-of.ts';

const KEYS =
  'The keys that tokens are signed with may be missing, or not be readable by PHP:\n\n    php artisan passport:keys\n    chown www-data storage/oauth-*.key\n    tail -n 50 storage/logs/laravel.log';

/** Whether an app is given a token of its own. Judged by a deep check alone. */
export const oauthDeepToken: Rule = {
  id: 'oauth-deep-token',
  area: 'oauth',
  worst: 'fail',
  title: 'A registered app is given a token of its own',
  checks:
    'With `--deep`: asks for a token with `client_credentials`. Worth knowing is a server that gives no tokens this way. Fails for a server error and for an answer that is no token; warns for one that a proxy may keep.',
  why: 'It is the one way to see from outside that tokens are made at all: keys, database, clock.',
  sources: ['Specification sections 2.2, 4.2 and 5', 'RFC 6749 sections 4.4 and 5.1'],
  cure: KEYS,
  judge({ deep }) {
    const token = deep?.token ?? null;
    if (token === null || token.status === 429) return null;
    const said = `POST /oauth/token with client_credentials gives ${answerWords(token)}`;
    if (token.status === null || token.failure !== null || token.status >= 500) return fail(`${said}.`, KEYS);
    const json = jsonOf(token);
    if (token.status >= 400 && json !== null) return info(`${said}: the server gives apps no token without a user.`);
    if (tokenIn(token) === null) return fail(`${said}, without an access_token.`, PASS_ON);
    const type = property(json, 'token_type');
    if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
      return fail(`${said}, and its token_type is not Bearer: clients do not know how to show it.`, PASS_ON);
    if (!/no-store/i.test(String(token.headers['cache-control'] ?? ''))) {
      return warn(
        `${said}, and without Cache-Control: no-store: a proxy may keep the token.`,
        'Take out what sets another value there. Else, in nginx, in the block `http`:\n\n    map $request_uri $may_keep {\n        default "";\n        "~^/oauth/" "no-store";\n    }\n\nThen in the server block, where it holds for PHP as well (a location with `add_header` lines of its own needs it too):\n\n    add_header Cache-Control $may_keep always;',
      );
    }
    return pass('The app was given a token of its own.');
  },
};
