import { classifyPage, type PageClass } from '../../identify/page-class.ts';
import { answerWords, isPage, redirectLoopWords, redirectsTo } from '../answers.ts';
import { LOOP_CURE } from '../cures.ts';
import type { Evidence, Exchange } from '../evidence.ts';
import { sharedTlsFailure } from '../reachability.ts';
import { fail, info, type Judgement, pass, type Rule, showText, warn } from '../rule.ts';
import { allAnswersFail, placeholderPageOf } from '../server-state.ts';

export const httpHome: Rule = {
  id: 'http-home',
  area: 'http',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The home page answers with a page',
  checks:
    'Asks for `/`. Fails for the page of a freshly installed web server or a parked name, warns for an error, a page of maintenance or a redirect to another host.',
  why: 'It is the first thing that people, and most directories, look at. The default page of the web server there means that requests do not get as far as Loops.',
  sources: ['RFC 9110 section 15'],
  cure: 'Let the web server pass everything to Loops. In nginx, the root is the folder `public` of the installation:\n\n    root /var/www/loops/public;\n    index index.php;\n    location / {\n        try_files $uri $uri/ /index.php?$query_string;\n    }',
  judge(evidence) {
    const { home } = evidence.answers;
    if (home === null || sharedTlsFailure(evidence.tls) !== null || allAnswersFail(evidence)) return null;
    // Another rule reports server errors.
    if (home.status === 429 || (home.status ?? 0) >= 500) return null;
    if (home.status === null || home.failure !== null) {
      return warn(
        `GET / gives ${answerWords(home)}, while other addresses answer.`,
        `See what the web server says, and the log of Loops:\n\n    tail /var/log/nginx/error.log\n    tail storage/logs/laravel.log`,
      );
    }
    const page = classifyPage({ status: home.status, headers: home.headers, body: home.body });
    // Another rule reports challenge pages.
    if (page?.class === 'challenge-page') return null;
    if (page !== null && page.class !== 'web-app') return ofPage(page, evidence);
    return ofStatus(home, home.status, evidence);
  },
};

function ofPage({ class: kind, by }: PageClass, evidence: Evidence): Judgement {
  const { dns } = evidence;
  const whose = by === null ? '' : ` of ${by}`;
  if (kind === 'maintenance-page') {
    return (placeholderPageOf(evidence) === null ? warn : fail)(
      `The home page${whose} speaks of maintenance.`,
      'When the work is done, let Loops answer again:\n\n    php artisan up',
    );
  }
  if (kind === 'parked-page') {
    return fail(
      `The home page${whose} says that the name is parked or for sale.`,
      'The name does not lead to your server. Set its A and AAAA records at the registrar, and see whether the registration has lapsed.',
    );
  }
  return fail(
    `The home page is that${whose} of a freshly installed web server: requests do not get as far as Loops.`,
    `Turn the default site off and let the one of this name answer, with its root in the folder \`public\` of Loops; take the default site of nginx away:\n\n    sudo rm /etc/nginx/sites-enabled/default\n\nIn the server block of Loops:\n\n    server_name ${dns.name};\n    root /var/www/loops/public;\n\nThen reload nginx:\n\n    sudo systemctl reload nginx`,
  );
}

function ofStatus(home: Exchange, status: number, { domain, answers }: Evidence): Judgement | null {
  if (status >= 300 && status < 400) {
    const to = redirectsTo(home);
    if (to === null)
      return warn(
        `GET / gives ${answerWords(home)}, which leads nowhere.`,
        'Let the home page answer, or redirect to an address that there is.',
      );
    if (to.href === home.url)
      return redirectLoopWords(answers.config) === null
        ? fail('The home page redirects to itself, in an endless loop: nobody ever sees it.', LOOP_CURE)
        : null;
    if (to.host === domain) return pass(`The home page leads to ${showText(to.pathname)}.`);
    // The whole host is redirected: the rule on the configuration says so.
    if (redirectsTo(answers.config)?.host === to.host) return null;
    return warn(
      `The home page redirects to another host, ${showText(to.host)}.`,
      `If ${domain} is the name of the server, let it answer itself: see \`return\` and \`rewrite\` in the web server, and in the .env of Loops:\n\n    APP_URL=https://${domain}`,
    );
  }
  // The whole host is closed: the rules on the configuration say so.
  if (status >= 400 && status !== 404 && answers.config?.status === status) return null;
  if (status === 401) {
    return warn(
      'The home page asks for a password (401): people cannot see the server.',
      'Take the password off the site. In nginx it is:\n\n    auth_basic off;',
    );
  }
  if (status >= 400) {
    return warn(
      `GET / gives ${answerWords(home)}.`,
      'Let the web server pass everything to Loops; in nginx:\n\n    root /var/www/loops/public;\n    index index.php;\n    location / {\n        try_files $uri $uri/ /index.php?$query_string;\n    }',
    );
  }
  return isPage(home) ? pass('The home page answers.') : info(`The home page answers, with ${answerWords(home)}.`);
}
