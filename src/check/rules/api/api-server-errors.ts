import { originOf } from '../../../domain/domain.ts';
import { challengeOf } from '../../challenge-of.ts';
import { isDown } from '../../documents/is-down.ts';
import { nameAll } from '../../documents/name-all.ts';
import { fail, pass } from '../../judgement.ts';
import { ownAnswers } from '../../own-answers.ts';
import type { RequestName } from '../../request-name.ts';
import { requestWords } from '../../request-words.ts';
import type { Rule } from '../../rule.ts';

/** Rules of their own tell what is wrong with these. */
const TOLD_ELSEWHERE: ReadonlySet<RequestName> = new Set<RequestName>([
  'robots',
  'config',
  'config-ipv4',
  'config-ipv6',
  'discovery',
  'nodeinfo',
]);

const LOG = '    tail -n 50 storage/logs/laravel.log';
const OF_STATUS: Readonly<Record<number, string>> = {
  502: 'The web server gets no answer from PHP (or Octane): start it, and see that the socket in `fastcgi_pass` or `proxy_pass` is the right one.\n\n    systemctl status "php*-fpm"\n    tail /var/log/nginx/error.log',
  503: 'Loops is in maintenance mode, or all workers are taken. When the work is done:\n\n    php artisan up',
  504: 'PHP takes longer than the web server waits: see what is slow, and whether the database answers.\n\n    tail /var/log/nginx/error.log\n    tail -n 50 storage/logs/laravel.log',
};
const CURE = `The log of Loops says what went wrong:\n\n${LOG}`;

/** Whether requests end in server errors. */
export const apiServerErrors: Rule = {
  id: 'api-server-errors',
  area: 'api',
  worst: 'fail',
  title: 'No request ends in a server error',
  checks:
    'Fails when a harmless request is answered with a status of 500 or above. The configuration, NodeInfo and robots.txt have rules of their own, and so has a server that is down altogether.',
  why: 'A server error is one that the server did not foresee. Apps show it as "something went wrong", and other servers put off what they had to deliver.',
  sources: ['RFC 9110 section 15.6'],
  cure: `${CURE}\n\n502 is PHP that does not run, 503 is maintenance (\`php artisan up\`), 504 is PHP that is too slow.`,
  judge(evidence) {
    if (isDown(evidence)) return null;
    const answered = ownAnswers(evidence).filter(
      ({ name, exchange }) => exchange.status !== null && !TOLD_ELSEWHERE.has(name),
    );
    if (answered.length === 0) return null;
    const broken = answered.filter(({ exchange }) => (exchange.status ?? 0) >= 500 && challengeOf(exchange) === null);
    const [first] = broken;
    if (first === undefined) return pass(`${answered.length} harmless requests, and no server error.`);
    const named = broken.map(
      ({ exchange }) => `${requestWords(exchange, originOf(evidence.domain))} (${exchange.status})`,
    );
    return fail(`Server errors: ${nameAll(named)}.`, OF_STATUS[first.exchange.status ?? 500] ?? CURE);
  },
};
