import { property } from '../../../identify/json.ts';
import { jsonOf } from '../../json-of.ts';
import { fail } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { judgeableAnswer, PASS_ON, refusalOf, saidTo } from './refusal-of.ts';

/** Whether apps can register themselves, as far as that shows without registering one. */
export const oauthApps: Rule = {
  id: 'oauth-apps',
  area: 'oauth',
  worst: 'fail',
  title: 'Apps can register, and an empty registration is refused',
  checks:
    'Sends an empty JSON object to `POST /api/v1/apps`, in which there is nothing to register. It should answer 422 (or 400) in JSON. Fails for an app, any other success, 401, 403, 404, 405 and an expired form (419); warns for what is not JSON.',
  why: 'The official app registers itself before each first sign-in on a server. Where it cannot, nobody signs in with it.',
  sources: ['Specification section 4.3'],
  cure: PASS_ON,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'apps');
    if (exchange === null) return null;
    const said = saidTo('POST /api/v1/apps', exchange);
    if (property(jsonOf(exchange), 'client_id') !== undefined) {
      return fail(
        `${said}, and with an app, though nothing was said of one.`,
        'Update Loops: what it takes is not looked at.\n\n    git pull\n    composer install --no-dev\n    php artisan migrate --force\n    php artisan optimize',
      );
    }
    if (exchange.status === 401 || exchange.status === 403) {
      return fail(
        `${said}: apps cannot register, and so nobody can sign in with one.`,
        'Registration of apps needs no login. Take what asks for one, or forbids POST, off this path: `auth_basic`, a firewall for web applications, a rule of the proxy. In nginx:\n\n    location = /api/v1/apps {\n        auth_basic off;\n        try_files $uri /index.php?$query_string;\n    }',
      );
    }
    return refusalOf(exchange, said);
  },
};
