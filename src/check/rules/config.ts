import { isHostWide } from '../../http/failure.ts';
import { hostOf, isLocal, originOf, storedDomain } from '../../model/domain/domain.ts';
import { REASONS } from '../../model/reason.ts';
import { leadsInside, pathOf, redirectLoopWords } from '../answers.ts';
import {
  answerCure,
  CHANGED_CODE_CURE,
  CONFIG_ONLY_CURE,
  INNER_REDIRECT_CURE,
  JSON_CURES,
  LOOP_CURE,
  RATE_LIMIT_CURE,
  rateLimitWords,
} from '../cures.ts';
import { documentOf, findWrapper, robotsOf, versionBeforeConfig } from '../documents/document.ts';
import type { Evidence } from '../evidence.ts';
import { fail, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import { causeInAnswer } from '../server-error.ts';
import { allAnswersFail, discoveryFailsLikeConfig, mayBeLoops, redirectsToOtherHost } from '../server-state.ts';
import {
  configCache,
  configContentType,
  configCookies,
  configCors,
  configDuplicateKeys,
  configEncoding,
  configPreflight,
  configSize,
} from './config-delivery.ts';
import {
  configDescription,
  configFieldsMissing,
  configFieldTypes,
  configName,
  configSoftware,
  configText,
  configUrl,
} from './config-fields.ts';
import { configMaxBioLength, configMaxVideoDuration, configMaxVideoSize, configVideoFormats } from './config-limits.ts';

const CONFIG_PATH = '/api/v1/config';

const START_CURE =
  'Start the server, and check the port that it listens on. For a development server of Loops:\n\n    php artisan serve --port=8000\n    loopscout check http://127.0.0.1:8000';

const configAnswered: Rule = {
  id: 'config-answered',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The server answers requests, above all for the configuration',
  checks:
    '`GET /api/v1/config` gets a complete answer that is neither a server error nor 429. If the home page and NodeInfo discovery fail as well, only this rule reports it; the web server often still sends robots.txt itself. DNS, connection and TLS have rules of their own, except on a local server.',
  why: 'Apps request config first, wait five seconds, and report "not compatible or unavailable" without a usable answer.',
  sources: ['Interface specification 4 (endpoint 7) and 4.4'],
  cure: `Look at the logs of the server:

    tail -n 50 storage/logs/laravel.log
    tail -n 50 /var/log/nginx/error.log

Then clear its caches and restart PHP:

    php artisan optimize:clear
    sudo systemctl restart 'php*-fpm'`,
  judge(evidence) {
    const { config } = evidence.answers;
    const reading = documentOf(config);
    const refusedStep = evidence.visit.steps.find(({ status }) => status === 429);
    if (reading.kind === 'not-requested' && refusedStep !== undefined && evidence.answers.robots?.status !== 429)
      return fail(
        `${refusedStep.url} answers 429 Too Many Requests. ${rateLimitWords(null, evidence)} No further request was sent.`,
        RATE_LIMIT_CURE,
      );
    if (!allAnswersFail(evidence) && !mayBeLoops(evidence)) return null;
    if (reading.kind === 'not-requested' || reading.kind === 'challenge') return null;
    if (reading.kind === 'failure') {
      // The rules on DNS, connection and TLS do not report an answer that takes too long.
      if (isHostWide(reading.failure) && reading.failure !== 'visit-timeout')
        return isLocal(evidence.domain)
          ? fail(`${originOf(evidence.domain)} does not answer: ${REASONS[reading.failure].means}.`, START_CURE)
          : null;
      const result = reading.detail === null ? '' : ` (${showText(reading.detail)})`;
      return judgeOutage(evidence, `${CONFIG_PATH} gave no usable answer: ${REASONS[reading.failure].means}${result}.`);
    }
    const status = config?.status ?? 0;
    if (status === 429)
      return fail(`${CONFIG_PATH} answers 429 Too Many Requests. ${rateLimitWords(config, evidence)}`, RATE_LIMIT_CURE);
    return status >= 500
      ? judgeOutage(evidence, `${CONFIG_PATH} answers ${status}.`)
      : pass('The configuration answers.');
  },
};

/** @param result the result of the request, as a sentence. */
function judgeOutage(evidence: Evidence, result: string) {
  const { domain, answers } = evidence;
  const named = causeInAnswer(answers.config);
  const cure =
    named?.cure ??
    (failsAlone(evidence) ? CONFIG_ONLY_CURE : null) ??
    answerCure(documentOf(answers.config), domain, CONFIG_PATH);
  const cause = named === null ? '' : ` ${named.detail}`;
  if (allAnswersFail(evidence)) {
    const webServerNote = robotsOf(evidence) === null ? '' : ' The web server itself runs: robots.txt is answered.';
    const families = ([4, 6] as const).filter((family) => documentOf(answers[`config-ipv${family}`]).kind === 'object');
    const works =
      families.length === 1 ? `Requests work over IPv${families[0]} only.` : 'No request to the application works.';
    return fail(`${works} ${result}${cause}${webServerNote}`, cure);
  }
  const discoveryNote = discoveryFailsLikeConfig(evidence) ? ' /.well-known/nodeinfo fails as well.' : '';
  const aloneNote =
    named === null && failsAlone(evidence)
      ? ' NodeInfo answers: mostly, the keys of OAuth or Redis are the cause.'
      : '';
  return fail(`${result}${cause}${discoveryNote}${aloneNote}`, cure);
}

/** Whether Loops answers config with 500 while its NodeInfo works. */
function failsAlone({ answers }: Evidence): boolean {
  return answers.config?.status === 500 && documentOf(answers.nodeinfo).kind === 'object';
}

const configStatus: Rule = {
  id: 'config-status',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The configuration endpoint answers 200',
  checks:
    'The status of `GET /api/v1/config`. Another 2xx status warns, and every status without a document fails, but 404 only warns when NodeInfo exists and does not identify Loops. Redirects, 401, 403, 407, 429, server errors, and releases before 1.0.0-beta.6, which lack this endpoint, have rules of their own.',
  why: 'Apps and directories identify a server by this answer. Without it only NodeInfo is left, which has neither limits nor features and is not read by apps.',
  sources: ['Interface specification 4 (endpoint 7) and 4.4'],
  cure: `Make the web server pass API requests to PHP. In the server block of nginx:

    location / { try_files $uri $uri/ /index.php?$query_string; }

Then make Loops rebuild its route list:

    php artisan route:clear`,
  judge(evidence) {
    if (!mayBeLoops(evidence) || versionBeforeConfig(evidence) !== null || redirectsToOtherHost(evidence)) return null;
    const reading = documentOf(evidence.answers.config);
    if (reading.kind === 'object' || reading.kind === 'not-json') {
      const status = evidence.answers.config?.status ?? 200;
      return status === 200 ? pass('It answers 200.') : warn(`It answers ${status} instead of 200.`);
    }
    if (reading.kind !== 'status') return null;
    // After a redirect, the redirect is the fault, and `config-redirect` reports it.
    if ((evidence.answers.config?.followed.length ?? 0) > 0) return null;
    const { status } = reading;
    if (status >= 500 || status === 429 || [401, 403, 407].includes(status)) return null;
    if (status === 404) {
      const detail = `${CONFIG_PATH} is not found (404): the request did not reach Loops, or the server is not Loops.`;
      return hasFaultyNodeInfo(evidence) ? warn(detail) : fail(detail);
    }
    const result = status === 410 ? '410 Gone, which tells directories to drop the server for good' : String(status);
    const discoveryNote = discoveryFailsLikeConfig(evidence) ? ' The same holds for /.well-known/nodeinfo.' : '';
    return fail(`${CONFIG_PATH} answers ${result}.${discoveryNote}`, answerCure(reading, evidence.domain, CONFIG_PATH));
  },
};

/** Whether NodeInfo exists but does not identify Loops; the rules on NodeInfo then report the fault that matters. */
function hasFaultyNodeInfo({ visit, answers }: Evidence): boolean {
  if (visit.verdict === 'loops') return false;
  const { kind } = documentOf(answers.discovery);
  return kind !== 'not-requested' && kind !== 'challenge' && answers.discovery?.status !== 404;
}

const configRedirect: Rule = {
  id: 'config-redirect',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The configuration endpoint does not redirect',
  checks:
    'Whether `GET /api/v1/config` redirects. Redirects within the host warn, and the other rules judge their target; a loop, more than three redirects, another host, plain http, an invalid URL and a target that answers 4xx fail.',
  why: 'Apps and directories identify a server by this one answer. Not all of them follow redirects, and none accepts the answer of another host as yours.',
  sources: ['Interface specification 4 (endpoint 7) and 4.4', 'RFC 9110 section 15.4'],
  cure: `Exclude the API from the redirects of the site. This finds them in nginx:

    grep -rnE 'return 30|rewrite ' /etc/nginx/

In the server block, a separate location takes precedence over them:

    location ^~ /api/ { try_files $uri /index.php?$query_string; }`,
  judge(evidence) {
    const { answers, domain } = evidence;
    const reading = documentOf(answers.config);
    const isElsewhere = redirectsToOtherHost(evidence);
    const target = reading.kind === 'redirect' ? reading.to : null;
    if (target !== null && leadsInside(target, evidence) && (isElsewhere || mayBeLoops(evidence))) {
      const discoveryNote = discoveryFailsLikeConfig(evidence) ? ' So does /.well-known/nodeinfo.' : '';
      const isScheme = target.hostname === hostOf(domain) && target.port === '';
      const fault = isScheme ? 'which is not https' : 'which cannot be reached from outside';
      return fail(
        `${CONFIG_PATH} redirects to ${showText(target.href)}, ${fault}.${discoveryNote}`,
        INNER_REDIRECT_CURE,
      );
    }
    if (isElsewhere) return judgeMovedHost(evidence);
    if (!mayBeLoops(evidence)) return null;
    if (reading.kind === 'object' && answers.config?.followed.length === 0) return pass('It does not redirect.');
    const loop = redirectLoopWords(answers.config);
    if (loop !== null) {
      const discoveryNote = discoveryFailsLikeConfig(evidence) ? ' So does /.well-known/nodeinfo.' : '';
      return fail(`${CONFIG_PATH} ${loop}.${discoveryNote}`, LOOP_CURE);
    }
    if (answers.config !== null && answers.config.followed.length > 0 && reading.kind !== 'redirect') {
      const result = `${CONFIG_PATH} redirects to ${pathOf(new URL(answers.config.url))}`;
      return reading.kind === 'status' && reading.status < 500
        ? fail(`${result}, which answers ${reading.status}.`)
        : warn(`${result}.`);
    }
    if (reading.kind !== 'redirect') return null;
    const { to, location } = reading;
    if (to === null) return fail(`${CONFIG_PATH} redirects to an invalid URL: ${showText(location)}.`);
    if (to.protocol !== 'https:' && !isLocal(domain))
      return fail(`${CONFIG_PATH} redirects to ${showText(to.href)}, which is not https.`);
    if (to.host !== domain) return fail(`${CONFIG_PATH} redirects to another host: ${showText(to.href)}.`);
    return warn(`${CONFIG_PATH} redirects to ${pathOf(to)}.`);
  },
};

/** Reports that the whole host redirects to another one, intentionally or by mistake. */
function judgeMovedHost({ visit, answers, domain }: Evidence) {
  const config = documentOf(answers.config);
  const to = visit.aliasOf ?? (config.kind === 'redirect' ? config.to?.host : undefined) ?? 'another host';
  const failure = visit.steps.findLast((step) => step.failure !== null && URL.parse(step.url)?.host === to)?.failure;
  const consequence =
    visit.aliasOf !== null
      ? ', so directories list that server, and this name as its alias'
      : failure != null
        ? `, which does not work: ${REASONS[failure].means}`
        : `. Crawlers learn no more: ${REASONS[visit.reason].means}`;
  return fail(
    `The host redirects to ${showText(to)}${consequence}.`,
    `If this is intended, there is nothing to do: check the other name instead. If not, answer on this name, and remove it from the \`server_name\` of the redirecting block:\n\n    server_name ${hostOf(domain)};`,
  );
}

const configPublic: Rule = {
  id: 'config-public',
  worst: 'fail',
  title: 'The configuration is public',
  checks: '`/api/v1/config` is answered without a token, a password or a special client: 401, 403 and 407 fail.',
  why: 'Apps read config before sign-in, to learn whether and how users can sign in. The official app signs its users out when the API answers 403 or with an HTML page.',
  sources: ['Interface specification 4 (endpoint 7: no authentication) and 5'],
  cure: answerCure({ kind: 'status', status: 401 }, storedDomain('loops.example'), CONFIG_PATH) ?? '',
  judge(evidence) {
    if (!mayBeLoops(evidence)) return null;
    const reading = documentOf(evidence.answers.config);
    if (reading.kind === 'object') return pass('It is public.');
    if (reading.kind !== 'status') return null;
    const { status } = reading;
    const cure = answerCure(reading, evidence.domain, CONFIG_PATH) ?? '';
    const discoveryNote = discoveryFailsLikeConfig(evidence) ? ' The same holds for /.well-known/nodeinfo.' : '';
    if (status === 401) return fail(`/api/v1/config answers 401: it requires a sign-in.${discoveryNote}`, cure);
    if (status === 403) return fail(`/api/v1/config answers 403: something blocks programs.${discoveryNote}`, cure);
    return status === 407
      ? fail(`/api/v1/config answers 407: a proxy requires a sign-in.${discoveryNote}`, cure)
      : null;
  },
};

const pageCure = `A page, usually the web app, answers instead of the API. Check that \`/api/\` reaches PHP instead of the web app, and that no cache serves the web app there. In the server block of nginx:

    location ^~ /api/ { try_files $uri /index.php?$query_string; }

Then make Loops rebuild its route list:

    php artisan route:clear`;

const configJson: Rule = {
  id: 'config-json',
  worst: 'fail',
  title: 'The configuration is a JSON object',
  checks:
    'The body of `/api/v1/config` is one JSON object and nothing more: not a page, not cut off, nothing before or after it, not still compressed after decoding, not nested more than 64 deep.',
  why: 'Clients do not repair invalid JSON: apps report "not compatible", and directories fall back to NodeInfo or give up. The official app signs its users out when the API answers 403 or with an HTML page.',
  sources: ['Interface specification 2.5 and 4', 'RFC 8259'],
  cure: `Look for text before or after the JSON, and for a missing end:

    curl -s https://DOMAIN/api/v1/config | head -c 2000

Turn off PHP warnings in answers in \`php.ini\`; they still go to the log:

    display_errors = Off
    log_errors = On`,
  judge(evidence) {
    if (!mayBeLoops(evidence) || versionBeforeConfig(evidence) !== null) return null;
    const reading = documentOf(evidence.answers.config);
    if (reading.kind === 'object') return pass('It is a JSON object.');
    if (reading.kind !== 'not-json') return null;
    const { code, text } = reading.problem;
    return fail(`The body of /api/v1/config ${text}.`, code === 'page' ? pageCure : JSON_CURES[code]);
  },
};

const configWrapper: Rule = {
  id: 'config-wrapper',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The configuration is not wrapped in anything',
  checks: 'Whether `app` is at the top of the document, or inside another member as in `{"data":{"app":…}}`.',
  why: 'Clients look for `app.software` at the top. In a wrapper they do not find it, and do not identify the server as Loops.',
  sources: ['Interface specification 2.5'],
  cure: CHANGED_CODE_CURE,
  judge(evidence) {
    if (!mayBeLoops(evidence)) return null;
    const reading = documentOf(evidence.answers.config);
    if (reading.kind !== 'object') return null;
    const wrapper = findWrapper(reading.document);
    return wrapper === null ? pass('It is not wrapped.') : fail(`app is inside ${showValue(wrapper)}.`);
  },
};

/** The rules of the configuration endpoint and its content, in report order. */
export const configRules: readonly Rule[] = [
  configAnswered,
  configStatus,
  configRedirect,
  configPublic,
  configJson,
  configWrapper,
  configSoftware,
  configFieldsMissing,
  configFieldTypes,
  configUrl,
  configName,
  configDescription,
  configText,
  configMaxVideoSize,
  configMaxVideoDuration,
  configVideoFormats,
  configMaxBioLength,
  configContentType,
  configEncoding,
  configDuplicateKeys,
  configCors,
  configPreflight,
  configCache,
  configCookies,
  configSize,
];
