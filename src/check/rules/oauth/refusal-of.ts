import { property } from '../../../identify/json.ts';
import { answerWords } from '../../answer-words.ts';
import { apiIsPages } from '../../api-is-pages.ts';
import { challengeOf } from '../../challenge-of.ts';
import { contentTypeOf } from '../../documents/content-type-of.ts';
import { isHtml } from '../../documents/is-html.ts';
import type { Evidence } from '../../evidence.ts';
import type { Exchange } from '../../exchange.ts';
import { isService } from '../../is-service.ts';
import { jsonOf } from '../../json-of.ts';
import { fail, pass, warn } from '../../judgement.ts';
import type { RequestName } from '../../request-name.ts';
import type { Judgement } from '../../rule.ts';

const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 422]);

export const PASS_ON =
  'Let the web server pass the request to Loops, with its body, and show no page of its own in place of the answer. In nginx:\n\n    location / {\n        try_files $uri $uri/ /index.php?$query_string;\n    }\n    fastcgi_intercept_errors off;\n    proxy_intercept_errors off;';
const FRESH_ROUTES =
  'Where the routes of an older version are still cached, that is forgotten with:\n\n    php artisan optimize:clear';

/** The answer to a harmless request of a server of the service, where it can be judged: no other rule tells what is wrong with it. */
export function judgeableAnswer(evidence: Evidence, name: RequestName): (Exchange & { status: number }) | null {
  const exchange = evidence.answers[name];
  if (!isService(evidence) || exchange === null || exchange.status === null || exchange.failure !== null) return null;
  const { status } = exchange;
  if (status === 429 || status >= 500 || challengeOf(exchange) !== null) return null;
  if (name === 'apps' && apiIsPages(evidence)) return null;
  return { ...exchange, status };
}

/**
 * Judges what is said to an empty request: it should be refused in JSON that says why. What all of these endpoints have in common.
 *
 * @param said the beginning of a sentence: what was asked, and what came.
 */
export function refusalOf(exchange: Exchange & { status: number }, said: string): Judgement {
  const { status } = exchange;
  const json = jsonOf(exchange);
  if (status === 419) {
    return fail(
      `${said}: the page of a form that has expired. Apps have no such form, and cannot sign in.`,
      'The address is behind the protection of forms (CSRF): take it out, in bootstrap/app.php, and see that nothing rewrites its path:\n\n    $middleware->validateCsrfTokens(except: ["oauth/*", "api/*"]);',
    );
  }
  if (status === 404 || status === 405) return fail(`${said}: apps cannot sign in.`, `${PASS_ON}\n\n${FRESH_ROUTES}`);
  if (status < 300)
    return fail(
      `${said}, to a request with nothing in it${isHtml(exchange) ? ': the web app came in place of the answer' : ''}.`,
      PASS_ON,
    );
  if (status < 400) return warn(`${said}: apps do not follow it.`, PASS_ON);
  if (json === null) {
    return warn(`${said}, which is not JSON: apps cannot tell what was wrong.`, PASS_ON);
  }
  if (typeof property(json, 'error') !== 'string' && typeof property(json, 'message') !== 'string') {
    return warn(`${said}, with neither \`error\` nor \`message\` in it.`, PASS_ON);
  }
  if (!/[/+]json$/.test(contentTypeOf(exchange) ?? '')) {
    return warn(`${said}: JSON, which its content type does not say.`, PASS_ON);
  }
  return REFUSED.has(status) ? pass(`${said}.`) : warn(`${said}; 400, 401 or 422 was to be expected.`, PASS_ON);
}

/** What was asked, and what came, as the beginning of a sentence. */
export function saidTo(what: string, exchange: Exchange): string {
  return `${what} gives ${answerWords(exchange)}`;
}
