import { isHostWide } from '../../http/failure.ts';
import { parseHref, parseNodeInfo } from '../../identify/documents.ts';
import { asObject, property } from '../../identify/field-reader.ts';
import type { InstanceFlag } from '../../model/facts/instance-facts.ts';
import { usageFlags } from '../../model/facts/usage-flags.ts';
import { REASONS } from '../../model/reason.ts';
import { pathOf, redirectLoopWords } from '../answers.ts';
import { answerCure, CHANGED_CODE_CURE, JSON_CURES, RATE_LIMIT_CURE, rateLimitWords } from '../cures.ts';
import { discoveryOf, documentOf, nodeInfo20Link, nodeInfoNameOf, nodeInfoOf, valueAt } from '../documents/document.ts';
import { describeViolation, nodeInfoViolations } from '../documents/nodeinfo-schema.ts';
import { fail, info, listItems, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import { nodeInfoHref } from './nodeinfo-discovery.ts';

export const nodeInfoDocument: Rule = {
  id: 'nodeinfo-document',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The NodeInfo document is served at its URL',
  checks:
    'A request for the exact `href` of the 2.0 entry answers 200. Warns for a redirect within the host, except from http to https; fails for a redirect to another host, any other status and no answer.',
  why: 'Discovery without a document is a dead end: directories get no user and post counts, and those that read only NodeInfo get nothing.',
  sources: ['Interface specification 4.4 and 2.7'],
  cure: `Serve the document at the URL in discovery, without a redirect and without a sign-in. In the server block of nginx:

    location ^~ /nodeinfo/ { try_files $uri /index.php?$query_string; }

Then make Loops rebuild its route list:

    php artisan route:clear`,
  judge(evidence) {
    const discovery = discoveryOf(evidence);
    const { nodeinfo } = evidence.answers;
    if (discovery === null || nodeinfo === null) return null;
    // `nodeinfo-href` reports an href that cannot be followed.
    if (nodeInfoHref.judge(evidence)?.severity === 'fail') return null;
    const linkHref = nodeInfo20Link(discovery)?.href;
    const href = typeof linkHref === 'string' ? parseHref(linkHref) : null;
    const where =
      href === null || href.url.host === evidence.domain ? (href?.target ?? '') : href.url.host + href.target;
    const what = `The NodeInfo document at ${showText(where)}`;
    const reading = documentOf(nodeinfo);
    // A cure never contains a path chosen by the server.
    const isOnCheckedHost = href !== null && href.url.host === evidence.domain;
    const cure = isOnCheckedHost ? answerCure(reading, evidence.domain, '/nodeinfo/2.0') : null;
    switch (reading.kind) {
      case 'not-requested':
      case 'challenge':
        return null;
      case 'failure':
        if (isHostWide(reading.failure) && href?.url.host === evidence.domain) return null;
        return fail(`${what} gave no usable answer: ${REASONS[reading.failure].means}.`, cure);
      case 'redirect': {
        const loop = redirectLoopWords(nodeinfo);
        if (loop !== null) return fail(`${what} ${loop}.`);
        if (isHttpsUpgrade(href?.url ?? null, reading.to)) return pass('It answers over https.');
        if (reading.to !== null && reading.to.host === href?.url.host && reading.to.protocol === 'https:')
          return warn(`${what} redirects to ${pathOf(reading.to)}.`);
        return fail(
          `${what} redirects to ${showText(reading.to?.href ?? reading.location)}, which clients do not follow.`,
        );
      }
      case 'status':
        if (reading.status === 429)
          return fail(`${what} answers 429 Too Many Requests. ${rateLimitWords(nodeinfo, evidence)}`, RATE_LIMIT_CURE);
        return fail(`${what} answers ${reading.status}.`, cure);
      default:
        if (isHttpsUpgrade(href?.url ?? null, new URL(nodeinfo.url))) return pass('It answers over https.');
        if (nodeinfo.followed.length > 0) return warn(`${what} redirects to ${pathOf(new URL(nodeinfo.url))}.`);
        return pass('It answers.');
    }
  },
};

/** A redirect from http to the same host and path on https; `nodeinfo-href` reports the plain http URL. */
function isHttpsUpgrade(from: URL | null, to: URL | null): boolean {
  if (from === null || to === null || from.protocol !== 'http:' || to.protocol !== 'https:') return false;
  return from.hostname === to.hostname && from.pathname === to.pathname;
}

export const nodeInfoJson: Rule = {
  id: 'nodeinfo-json',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The NodeInfo document is a JSON object',
  checks: 'The body of the NodeInfo document is a single, complete JSON object, with nothing before or after it.',
  why: 'Clients do not repair it: a PHP warning after the document makes it unreadable.',
  sources: ['Interface specification 2.7', 'RFC 8259'],
  cure: `Check that the path reaches Loops instead of the web app, and that PHP does not write warnings into answers. In \`php.ini\`:

    display_errors = Off
    log_errors = On`,
  judge({ answers }) {
    const reading = documentOf(answers.nodeinfo);
    if (reading.kind === 'object') return pass('It is a JSON object.');
    return reading.kind === 'not-json'
      ? fail(`The body of the NodeInfo document ${reading.problem.text}.`, JSON_CURES[reading.problem.code])
      : null;
  },
};

export const nodeInfoSoftware: Rule = {
  id: 'nodeinfo-software',
  worst: 'fail',
  cureFor: 'loops',
  title: 'NodeInfo names the software exactly',
  checks:
    '`software.name` is a string that equals the software id exactly. Other software is info; directories of Loops do not list it.',
  why: 'Directories group servers by this string. With an upper-case letter or a space, it names unknown software.',
  sources: ['Interface specification 2.7 and 4.4', 'NodeInfo 2.0 schema (software.name)'],
  cure: CHANGED_CODE_CURE,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    if (document === null) return null;
    const named = nodeInfoNameOf(evidence);
    if (named === null) {
      const software = property(document, 'software');
      const name = property(asObject(software), 'name');
      if (software === undefined) return fail('The document has no software.');
      if (asObject(software) === null) return fail(`software is ${showValue(software)}, not an object.`);
      return fail(name === undefined ? 'software has no name.' : `software.name is ${showValue(name)}, not a string.`);
    }
    if (named.isExact) return pass(`It is ${showValue(named.name)}.`);
    const { softwareId } = evidence;
    if (named.isNearMiss)
      return fail(`software.name is ${showValue(named.name)}, which is not exactly ${showValue(softwareId)}.`);
    const config = documentOf(evidence.answers.config);
    const configNamesSoftware =
      config.kind === 'object' && typeof valueAt(config.document, 'app.software') === 'string';
    if (configNamesSoftware) return null;
    return info(`The server reports the software ${showValue(named.name)}, not ${showValue(softwareId)}.`);
  },
};

/** Fields that Loops always sends and the schema does not require. */
const OPTIONAL_FIELDS = ['usage.users.total', 'usage.localPosts'] as const;

export const nodeInfoFieldsMissing: Rule = {
  id: 'nodeinfo-fields-missing',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Every field of NodeInfo is present',
  checks:
    'The fields of specification 2.7, and those that the NodeInfo 2.0 schema requires: `version`, `software`, `protocols`, `services`, `openRegistrations`, `usage`, `metadata`. A field that is null counts as missing.',
  why: 'Clients that validate the document reject it for one missing field; others show the server without that field.',
  sources: ['Interface specification 2.7', 'NodeInfo 2.0 schema'],
  cure: `Loops sends all of them. Clear its caches:

    php artisan optimize:clear

A scheduled task counts the active users; add this line to the crontab of the user of the web server (\`sudo crontab -u www-data -e\`):

    * * * * * cd /var/www/loops && php artisan schedule:run >> /dev/null 2>&1`,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    // `nodeinfo-software` reports a document that names no software.
    if (document === null || nodeInfoNameOf(evidence) === null) return null;
    const all = nodeInfoViolations(document);
    const violatedPaths = all.filter(({ kind }) => kind !== 'other').map(({ path }) => path);
    // A field inside a field that is missing or wrong is not reported again.
    const missingOptional = OPTIONAL_FIELDS.filter(
      (path) =>
        valueAt(document, path) === undefined &&
        !violatedPaths.some((violated) => `${path}.`.startsWith(`${violated}.`)),
    );
    const missing = all.filter(({ kind }) => kind === 'missing');
    const paths = [...missing.map(({ path }) => path), ...missingOptional];
    return paths.length === 0 ? pass('No field is missing.') : warn(`Missing: ${listItems(paths)}.`);
  },
};

export const nodeInfoFieldTypes: Rule = {
  id: 'nodeinfo-field-types',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Every field of NodeInfo has the right type',
  checks:
    'The types of specification 2.7 and of the NodeInfo 2.0 schema: counts are integers from 0, not strings; `openRegistrations` is `true` or `false`; `version` is a string, not a number; `metadata` is an object, not a list.',
  why: 'Clients written in typed languages reject the whole document for one wrong type, and treat the server as if it had no NodeInfo.',
  sources: ['Interface specification 2.7', 'NodeInfo 2.0 schema'],
  cure: CHANGED_CODE_CURE,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    // `nodeinfo-software` reports a document that names no software.
    if (document === null || nodeInfoNameOf(evidence) === null) return null;
    const wrong = nodeInfoViolations(document).filter(({ kind }) => kind === 'type');
    return wrong.length === 0
      ? pass('Every field has the right type.')
      : fail(`${listItems(wrong.map(describeViolation), '; ')}.`);
  },
};

export const nodeInfoSchema: Rule = {
  id: 'nodeinfo-schema',
  worst: 'warn',
  title: 'NodeInfo conforms to the schema of version 2.0',
  checks:
    'The other requirements of the schema: no unknown fields at the top level, in `software`, `services`, `usage` and `usage.users`; only known words in `protocols` and `services`; `version` "2.0"; a `software.name` of lower-case letters, digits and hyphens.',
  why: 'Clients that validate against the schema or a list of known words reject the document for a single unknown word.',
  sources: ['NodeInfo 2.0 schema (http://nodeinfo.diaspora.software/ns/schema/2.0)'],
  cure: 'Move your own fields into `metadata`, which may contain any field, and remove words that the schema does not define from `protocols` and `services`. Serve a document of version 2.1 at the URL for 2.1.',
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    const named = nodeInfoNameOf(evidence);
    // `nodeinfo-software` reports a document that names no software.
    if (document === null || named === null) return null;
    // Bytes that are not UTF-8 decode to arbitrary text; `nodeinfo-encoding` reports them.
    const reading = documentOf(evidence.answers.nodeinfo);
    if (reading.kind === 'object' && !reading.isUtf8) return null;
    // Other rules report the other kinds of violation (an empty `protocols` only for Loops), and a misspelled name.
    const others = nodeInfoViolations(document).filter(
      ({ kind, path }) => kind === 'other' && !(path === 'software.name' && named.isNearMiss),
    );
    // The description of a violation begins with "the document" or with the path of a property.
    return others.length === 0
      ? pass('It conforms to the schema.')
      : warn(`${listItems(others.map(describeViolation), '; ')}.`.replace(/^the /, 'The '));
  },
};

export const nodeInfoProtocols: Rule = {
  id: 'nodeinfo-protocols',
  worst: 'fail',
  cureFor: 'loops',
  title: 'NodeInfo names ActivityPub as a protocol',
  checks: '`protocols` of a Loops server includes `activitypub`, in lower case.',
  why: 'Directories of the fediverse exclude servers that do not federate by ActivityPub.',
  sources: ['Interface specification 2.7'],
  cure: `Name the protocol that Loops federates by:

    "protocols": ["activitypub"]`,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    const protocols = property(document, 'protocols');
    if (!Array.isArray(protocols) || nodeInfoNameOf(evidence)?.isExact !== true) return null;
    if (protocols.includes('activitypub')) return pass('It includes ActivityPub.');
    return fail(
      protocols.length === 0
        ? 'protocols is an empty list.'
        : `protocols has only ${listItems(protocols.map(showValue))}.`,
    );
  },
};

const FLAG_TEXTS: Partial<Record<InstanceFlag, string>> = {
  'users-without-posts': 'more than a thousand users but no posts',
  'counts-contradict': 'more active users than users, or more in a month than in half a year',
};

export const nodeInfoCounts: Rule = {
  id: 'nodeinfo-counts',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The counts of NodeInfo are plausible',
  checks:
    'Compares users, active users and posts: active users must not exceed users, many users must have posts, posts need users, and no count exceeds a billion. Zero users and zero posts are info.',
  why: 'Directories flag implausible counts or exclude such servers from their totals, because they indicate spam or broken caches.',
  sources: ['Interface specification 2.7', 'NodeInfo 2.0 schema (usage)'],
  cure: `Make Loops count again:

    php artisan cache:clear

Check that its scheduled tasks run; they need this line in the crontab of the user of the web server (\`sudo crontab -u www-data -e\`):

    * * * * * cd /var/www/loops && php artisan schedule:run >> /dev/null 2>&1`,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    const counts = document === null ? null : parseNodeInfo(document);
    if (counts === null) return null;
    const { users, activeMonth, activeHalfyear, posts } = counts.usage;
    if (users === null && posts === null) return null;
    const flags = usageFlags([{ at: evidence.at, users, activeMonth, activeHalfyear, posts }]);
    const problems = flags.flatMap((flag) => FLAG_TEXTS[flag] ?? []);
    if (users === 0 && (posts ?? 0) > 0) problems.push('posts but no users');
    const shown = `users ${users ?? 'unknown'}, active in half a year ${activeHalfyear ?? 'unknown'}, in a month ${activeMonth ?? 'unknown'}, posts ${posts ?? 'unknown'}`;
    if (flags.includes('counts-absurd'))
      return warn(`${nameAbsurdCounts({ users, activeMonth, activeHalfyear, posts })} is implausible.`);
    if (problems.length > 0) return warn(`NodeInfo reports ${problems.join('; ')} (${shown}).`);
    return users === 0 && posts === 0
      ? info(`Users and posts are 0 (${shown}).`)
      : pass(`The counts are plausible (${shown}).`);
  },
};

/** More than any server of the fediverse can have. */
const MAX_PLAUSIBLE_COUNT = 1_000_000_000;
const NUMBERS = new Intl.NumberFormat('en');

/** Names the counts above {@link MAX_PLAUSIBLE_COUNT}, or all if none is: "8,830,041,223 users and 4,871,000,345 posts". */
function nameAbsurdCounts(counts: {
  users: number | null;
  activeMonth: number | null;
  activeHalfyear: number | null;
  posts: number | null;
}): string {
  const { users, activeMonth, activeHalfyear, posts } = counts;
  const labelled = [
    [users, 'users'],
    [activeHalfyear, 'active in half a year'],
    [activeMonth, 'active in a month'],
    [posts, 'posts'],
  ] as const;
  const large = labelled.filter(([count]) => (count ?? 0) > MAX_PLAUSIBLE_COUNT);
  return (large.length > 0 ? large : labelled)
    .flatMap(([count, what]) => (count === null ? [] : [`${NUMBERS.format(count)} ${what}`]))
    .join(' and ');
}

const ACTIVE_USER_PATHS = ['usage.users.activeMonth', 'usage.users.activeHalfyear'] as const;

export const nodeInfoUsage: Rule = {
  id: 'nodeinfo-usage',
  worst: 'info',
  title: 'NodeInfo counts active users',
  checks:
    'Whether `usage.users.activeMonth` and `usage.users.activeHalfyear` are present. The standard makes them optional.',
  why: 'Directories sort by active users, and list a server without these counts last.',
  sources: ['NodeInfo 2.0 schema (usage.users)'],
  cure: 'Current releases of Loops count them automatically; update Loops if yours does not.',
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    if (document === null || valueAt(document, 'usage.users.total') === undefined) return null;
    // `nodeinfo-fields-missing` reports a count that is null.
    if (ACTIVE_USER_PATHS.some((path) => valueAt(document, path) === null)) return null;
    const missing = ACTIVE_USER_PATHS.filter((path) => valueAt(document, path) === undefined);
    return missing.length === 0 ? pass('It counts them.') : info(`Missing: ${listItems(missing)}.`);
  },
};
