import { classifyPage, type PageClass } from '../../http/page-class.ts';
import { answerWords, isPage, leadsInside, redirectLoopWords, redirectTargetOf } from '../answers.ts';
import { INNER_REDIRECT_CURE, LOOP_CURE } from '../cures.ts';
import type { CheckExchange, Evidence } from '../evidence.ts';
import { sharedTlsFailure } from '../reachability.ts';
import { fail, info, type Judgement, pass, type Rule, showText, warn } from '../rule.ts';
import { allAnswersFail, placeholderPageOf } from '../server-state.ts';

function judgePage({ class: kind, by }: PageClass, evidence: Evidence): Judgement {
  const { dns } = evidence;
  const vendor = by === null ? '' : ` of ${by}`;
  if (kind === 'maintenance-page') {
    return (placeholderPageOf(evidence) === null ? warn : fail)(
      `The home page is a maintenance page${vendor}.`,
      'When the maintenance is done, bring Loops back up:\n\n    php artisan up',
    );
  }
  if (kind === 'parked-page') {
    return fail(
      `The home page is a parking page${vendor}: the domain is parked or for sale.`,
      'The domain does not lead to your server. Set its A and AAAA records at the registrar, and check whether the registration has lapsed.',
    );
  }
  return fail(
    `The home page is the default page${vendor} of a new web server: this request does not reach Loops.`,
    `Remove the default site, so that the site of this name answers, with the \`public\` folder of Loops as its root. In nginx:\n\n    sudo rm /etc/nginx/sites-enabled/default\n\nIn the server block of Loops:\n\n    server_name ${dns.name};\n    root /var/www/loops/public;\n\nThen reload nginx:\n\n    sudo systemctl reload nginx`,
  );
}

function judgeStatus(home: CheckExchange, status: number, evidence: Evidence): Judgement | null {
  const { domain, answers } = evidence;
  if (status >= 300 && status < 400) {
    const to = redirectTargetOf(home);
    if (to === null)
      return warn(
        `GET / gives ${answerWords(home)}, without a valid target.`,
        'Make the home page answer, or redirect to an existing page.',
      );
    if (to.href === home.url)
      return redirectLoopWords(answers.config) === null
        ? fail('The home page redirects to itself, in an endless loop.', LOOP_CURE)
        : null;
    const isReported = redirectTargetOf(answers.config)?.host === to.host;
    if (leadsInside(to, evidence))
      return isReported
        ? null
        : warn(
            `The home page redirects to ${showText(to.href)}, which cannot be reached from outside.`,
            INNER_REDIRECT_CURE,
          );
    if (to.host === domain) return pass(`The home page redirects to ${showText(to.pathname)}.`);
    // If the whole host is redirected, `config-redirect` reports it.
    if (isReported) return null;
    return warn(
      `The home page redirects to another host, ${showText(to.host)}.`,
      `If ${domain} is the name of the server, remove the redirect from the web server or the proxy. This finds it in nginx:\n\n    grep -rnE 'return 30|rewrite ' /etc/nginx/`,
    );
  }
  // If the whole host refuses requests, `config-public` or `config-status` reports it.
  if (status >= 400 && status !== 404 && answers.config?.status === status) return null;
  if (status === 401) {
    return warn(
      'The home page asks for a password (401), so people cannot see it.',
      'Remove the password from the site. In nginx:\n\n    auth_basic off;',
    );
  }
  if (status >= 400) {
    return warn(
      `GET / gives ${answerWords(home)}.`,
      'Make the web server pass everything to Loops; in nginx:\n\n    root /var/www/loops/public;\n    index index.php;\n    location / {\n        try_files $uri $uri/ /index.php?$query_string;\n    }',
    );
  }
  return isPage(home) ? pass('The home page answers.') : info(`The home page gives ${answerWords(home)}.`);
}

export const httpHome: Rule = {
  id: 'http-home',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The home page answers with a page',
  checks:
    'Requests `/`. Fails for the default page of a web server, a parked domain, a redirect to itself, and a maintenance page that replaces config too; warns for an error, a maintenance page of the home page only, or a redirect to another host; reports an answer that is not HTML as info.',
  why: 'People open the home page first, for example from a directory. If it is the default page of the web server, visitors do not reach Loops.',
  sources: ['RFC 9110 section 15'],
  cure: 'Make the web server pass everything to Loops. In nginx, the root is the folder `public` of the installation:\n\n    root /var/www/loops/public;\n    index index.php;\n    location / {\n        try_files $uri $uri/ /index.php?$query_string;\n    }',
  judge(evidence) {
    const { home } = evidence.answers;
    if (home === null || sharedTlsFailure(evidence.tls) !== null || allAnswersFail(evidence)) return null;
    // `api-rate-limit` and `api-server-errors` report these.
    if (home.status === 429 || (home.status ?? 0) >= 500) return null;
    if (home.status === null || home.failure !== null) {
      return warn(
        `GET / gives ${answerWords(home)}, while other requests are answered.`,
        `Read the logs of the web server and of Loops:\n\n    tail /var/log/nginx/error.log\n    tail storage/logs/laravel.log`,
      );
    }
    const page = classifyPage({ status: home.status, headers: home.headers, body: home.body });
    // `http-challenge` reports it.
    if (page?.class === 'challenge-page') return null;
    if (page !== null && page.class !== 'web-app') return judgePage(page, evidence);
    return judgeStatus(home, home.status, evidence);
  },
};
