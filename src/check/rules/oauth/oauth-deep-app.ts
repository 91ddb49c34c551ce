import { property } from '../../../identify/json.ts';
import { answerWords } from '../../answer-words.ts';
import { jsonOf } from '../../json-of.ts';
import { fail, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { PASS_ON } from './refusal-of.ts';

const CURE = `${PASS_ON}\n\nThe log of Loops says what went wrong:\n\n    tail -n 50 storage/logs/laravel.log`;

/** What the answer must hold for an app to go on (specification 2.1). */
const NEEDED = ['client_id', 'client_secret'] as const;

/** Whether an app that registers becomes one. Judged by a deep check alone. */
export const oauthDeepApp: Rule = {
  id: 'oauth-deep-app',
  area: 'oauth',
  worst: 'fail',
  title: 'An app that registers is given its id and its secret',
  checks:
    'With `--deep`: registers an app, and fails when the answer has no `client_id` and `client_secret`. Warns for other missing fields.',
  why: 'It is the first step of every app. Nobody signs in with one that gets no further.',
  sources: ['Specification sections 2.1 and 4.3'],
  cure: CURE,
  judge({ deep }) {
    if (deep === null || deep.app.status === 429) return null;
    const { app } = deep;
    const json = jsonOf(app);
    const missing = NEEDED.filter((name) => !isText(property(json, name)));
    if (app.status === null || app.status >= 300 || missing.length > 0) {
      const without = json !== null && (app.status ?? 500) < 300 ? `, without ${missing.join(' and ')}` : '';
      return fail(`POST /api/v1/apps with a whole registration gives ${answerWords(app)}${without}.`, CURE);
    }
    const absent = ['id', 'name', 'redirect_uri'].filter((name) => property(json, name) === undefined);
    if (absent.length > 0)
      return warn(
        `The app was registered, but the answer has no ${absent.join(', ')}.`,
        'Update Loops; clients need these fields of the registration:\n\n    php artisan --version',
      );
    return pass('An app was registered, and given its id and its secret.');
  },
};

function isText(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
