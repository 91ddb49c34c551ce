import { REASONS } from '../../../record/reason.ts';
import { documentOf } from '../../documents/document-of.ts';
import { mayBeService } from '../../documents/may-be-service.ts';
import { FOREIGN_ORIGIN } from '../../foreign-origin.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Let requests with the method OPTIONS through to Laravel, which answers them by \`config/cors.php\`: take \`limit_except GET\` and rules against OPTIONS out of the proxy, and see that the paths cover the API:

    'paths' => ['api/*', 'oauth/*'],
    'allowed_methods' => ['*'],
    'allowed_headers' => ['*'],

    php artisan config:cache`;

export const configPreflight: Rule = {
  id: 'config-preflight',
  area: 'config',
  worst: 'warn',
  title: 'The preflight of a browser is answered',
  checks:
    '`OPTIONS /api/v1/config` with `Access-Control-Request-Method: GET` brings a 2xx with `Access-Control-Allow-Origin`. Looked at only where the answer to GET has that header.',
  why: 'Before a request with a header of its own, such as a token, a browser asks whether it may. Without a yes it does not send the request at all.',
  sources: ['Fetch Standard, CORS-preflight fetch'],
  cure,
  judge(evidence) {
    if (!mayBeService(evidence)) return null;
    const { config, 'config-preflight': preflight } = evidence.answers;
    if (config === null || documentOf(config).kind !== 'object') return null;
    if (config.headers['access-control-allow-origin'] === undefined || preflight === null) return null;
    // That the address is redirected has a rule of its own.
    if (config.followed.length > 0 && (preflight.status ?? 0) >= 300 && (preflight.status ?? 0) < 400) return null;
    const { status, failure, headers } = preflight;
    if (failure !== null || status === null)
      return warn(
        `OPTIONS gave no usable answer: ${failure === null ? 'nothing came' : REASONS[failure].means}.`,
        cure,
      );
    if (status < 200 || status >= 300) return warn(`OPTIONS is answered ${status}.`, cure);
    const allowed = headers['access-control-allow-origin']?.trim();
    if (allowed !== '*' && allowed !== FOREIGN_ORIGIN)
      return warn('OPTIONS is answered without a usable Access-Control-Allow-Origin.', cure);
    return pass(`It is, with ${status}.`);
  },
};
