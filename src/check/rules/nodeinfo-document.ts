import { isHostWide } from '../../http/failure.ts';
import { parseHref, parseNodeInfo } from '../../identify/documents.ts';
import { asObject, property } from '../../identify/field-reader.ts';
import type { InstanceFlag } from '../../model/facts/instance-facts.ts';
import { usageFlags } from '../../model/facts/usage-flags.ts';
import { REASONS } from '../../model/reason.ts';
import { redirectLoopWords } from '../answers.ts';
import { answerCure, RATE_LIMIT_CURE, rateLimitWords } from '../cures.ts';
import {
  discoveryOf,
  documentOf,
  linkOf20,
  namesAppUrl,
  nodeInfoNameOf,
  nodeInfoOf,
  valueAt,
} from '../documents/document.ts';
import { describeViolation, nodeInfoViolations } from '../documents/nodeinfo-schema.ts';
import { fail, info, nameAll, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import { nodeInfoHref } from './nodeinfo-discovery.ts';

export const nodeInfoDocument: Rule = {
  id: 'nodeinfo-document',
  area: 'nodeinfo',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The NodeInfo document answers at its address',
  checks:
    'A request for the `href` of the 2.0 entry, exactly as it is given, answers 200. A redirect within the host warns; another host, any other status and silence fail.',
  why: 'Discovery without a document is a dead end: directories get no user and post counts, and those that read only NodeInfo get nothing.',
  sources: ['Interface specification 4.4 and 2.7'],
  cure: `Serve the document at the address that discovery names, without a redirect and without a sign-in. In the server block of nginx:

    location ^~ /nodeinfo/ { try_files $uri /index.php?$query_string; }

Then make Loops rebuild its route list:

    php artisan route:clear`,
  judge(evidence) {
    const discovery = discoveryOf(evidence);
    const { nodeinfo } = evidence.answers;
    if (discovery === null || nodeinfo === null) return null;
    // Another rule reports an address that cannot be followed.
    if (nodeInfoHref.judge(evidence)?.severity === 'fail') return null;
    const given = linkOf20(discovery)?.href;
    const href = typeof given === 'string' ? parseHref(given) : null;
    if (href !== null && namesAppUrl(href.url, evidence) && documentOf(nodeinfo).kind !== 'object') return null;
    const where =
      href === null || href.url.host === evidence.domain ? (href?.target ?? '') : href.url.host + href.target;
    const what = `The NodeInfo document at ${showText(where)}`;
    const reading = documentOf(nodeinfo);
    // An address chosen by the server never appears in lines to paste.
    const isOwn = href !== null && href.url.host === evidence.domain;
    const cure = (isOwn ? answerCure(reading, evidence.domain, '/nodeinfo/2.0') : null) ?? nodeInfoDocument.cure;
    switch (reading.kind) {
      case 'not-requested':
      case 'challenge':
        return null;
      case 'failure':
        if (isHostWide(reading.failure) && href?.url.host === evidence.domain) return null;
        return fail(`${what} gave no usable answer: ${REASONS[reading.failure].means}.`, cure);
      case 'redirect': {
        const circle = redirectLoopWords(nodeinfo);
        if (circle !== null) return fail(`${what} ${circle}.`, nodeInfoDocument.cure);
        if (isUpgrade(href?.url ?? null, reading.to)) return pass('It does, by https.');
        if (reading.to !== null && reading.to.host === href?.url.host && reading.to.protocol === 'https:')
          return warn(`${what} redirects to ${showText(reading.to.pathname)}.`, nodeInfoDocument.cure);
        return fail(
          `${what} redirects to ${showText(reading.to?.href ?? reading.location)}, where it is not read.`,
          nodeInfoDocument.cure,
        );
      }
      case 'status':
        if (reading.status === 429)
          return fail(`${what} answers 429 Too Many Requests. ${rateLimitWords(nodeinfo, evidence)}`, RATE_LIMIT_CURE);
        return fail(`${what} answers ${reading.status}.`, cure);
      default:
        if (isUpgrade(href?.url ?? null, new URL(nodeinfo.url))) return pass('It does, by https.');
        if (nodeinfo.followed.length > 0)
          return warn(`${what} redirects to ${showText(new URL(nodeinfo.url).pathname)}.`, nodeInfoDocument.cure);
        return pass('It does.');
    }
  },
};

/** A redirect from http to the same address on https; `nodeinfo-href` reports the plain http address. */
function isUpgrade(from: URL | null, to: URL | null): boolean {
  if (from === null || to === null || from.protocol !== 'http:' || to.protocol !== 'https:') return false;
  return from.hostname === to.hostname && from.pathname === to.pathname;
}

export const nodeInfoJson: Rule = {
  id: 'nodeinfo-json',
  area: 'nodeinfo',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The NodeInfo document is a JSON object',
  checks:
    'The body of the NodeInfo document is one JSON object and nothing more: not a page, not cut off, nothing before or after it.',
  why: 'Clients do not repair it: a document followed by a PHP warning is unreadable.',
  sources: ['Interface specification 2.7', 'RFC 8259'],
  cure: `See that the address reaches Loops and not the page of the web app, and that PHP writes no warnings into answers, in \`php.ini\`:

    display_errors = Off
    log_errors = On`,
  judge({ answers }) {
    const reading = documentOf(answers.nodeinfo);
    if (reading.kind === 'object') return pass('It is.');
    return reading.kind === 'not-json'
      ? fail(`The body of the NodeInfo document ${reading.problem.text}.`, nodeInfoJson.cure)
      : null;
  },
};

export const nodeInfoSoftware: Rule = {
  id: 'nodeinfo-software',
  area: 'nodeinfo',
  worst: 'fail',
  cureFor: 'loops',
  title: 'NodeInfo names the software exactly',
  checks:
    '`software.name` is a string, and the identifier of the software to the letter. Another software altogether is worth knowing, and keeps the server out of directories of this one.',
  why: 'Directories group servers by this string. With an upper-case letter or a space it names an unknown software.',
  sources: ['Interface specification 2.7 and 4.4', 'NodeInfo 2.0 schema (software.name)'],
  cure: `Loops writes the name itself, as \`"loops"\`, and no setting changes it. Put back what was changed in the code, and clear the cache:

    git -C /var/www/loops status
    php artisan optimize:clear`,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    if (document === null) return null;
    const named = nodeInfoNameOf(evidence);
    if (named === null) {
      const software = property(document, 'software');
      const name = property(asObject(software), 'name');
      if (software === undefined) return fail('The document has no software.', nodeInfoSoftware.cure);
      if (asObject(software) === null)
        return fail(`software is ${showValue(software)}, not an object.`, nodeInfoSoftware.cure);
      return fail(
        name === undefined ? 'software has no name.' : `software.name is ${showValue(name)}, not a string.`,
        nodeInfoSoftware.cure,
      );
    }
    if (named.isExact) return pass(`It is ${showValue(named.name)}.`);
    const { softwareId } = evidence;
    if (named.isNearMiss)
      return fail(
        `software.name is ${showValue(named.name)}, which is not ${showValue(softwareId)} to the letter.`,
        nodeInfoSoftware.cure,
      );
    const config = documentOf(evidence.answers.config);
    const configNamesSoftware =
      config.kind === 'object' && typeof valueAt(config.document, 'app.software') === 'string';
    if (configNamesSoftware) return null;
    return info(
      `The server says that it runs ${showValue(named.name)}, which is another software than ${showValue(softwareId)}.`,
    );
  },
};

/** Fields that Loops always sends and the schema does not require. */
const PROMISED = ['usage.users.total', 'usage.localPosts'] as const;

export const nodeInfoFieldsMissing: Rule = {
  id: 'nodeinfo-fields-missing',
  area: 'nodeinfo',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Every field of NodeInfo is there',
  checks:
    'The fields of specification 2.7, and those that the schema of NodeInfo 2.0 demands: `version`, `software`, `protocols`, `services`, `openRegistrations`, `usage`, `metadata`. A field that is null is missing.',
  why: 'Clients that validate refuse the whole document for one missing field; others show the server without it.',
  sources: ['Interface specification 2.7', 'NodeInfo 2.0 schema'],
  cure: `Loops sends all of them. Clear its caches:

    php artisan optimize:clear

Active users are counted by its scheduled work: this line belongs into the crontab of the user of the web server (\`sudo crontab -u www-data -e\`):

    * * * * * cd /var/www/loops && php artisan schedule:run >> /dev/null 2>&1`,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    // Another rule reports a document that names no software.
    if (document === null || nodeInfoNameOf(evidence) === null) return null;
    const all = nodeInfoViolations(document);
    const broken = all.map(({ path }) => path);
    const promised = PROMISED.filter(
      (path) =>
        valueAt(document, path) === undefined &&
        !broken.some((above) => `${path}.`.startsWith(`${above}.`) && above !== ''),
    );
    const missing = all.filter(({ kind }) => kind === 'missing');
    const paths = [...missing.map(({ path }) => path), ...promised];
    return paths.length === 0
      ? pass('None is missing.')
      : warn(`Missing: ${nameAll(paths)}.`, nodeInfoFieldsMissing.cure);
  },
};

export const nodeInfoFieldTypes: Rule = {
  id: 'nodeinfo-field-types',
  area: 'nodeinfo',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Every field of NodeInfo has its type',
  checks:
    'The types of specification 2.7 and of the NodeInfo 2.0 schema: counts are whole numbers from 0 and no texts, `openRegistrations` is `true` or `false`, `version` is the text `"2.0"`, `metadata` is an object and no list.',
  why: 'Clients written in typed languages refuse the whole document for one such field, and treat the server as one without NodeInfo.',
  sources: ['Interface specification 2.7', 'NodeInfo 2.0 schema'],
  cure: `Loops sends each with its type. Clear its caches; if the code was changed, cast where the value is read: \`(int)\` for counts, \`(bool)\` for switches, and \`(object) []\` for an empty \`metadata\`, which PHP else writes as a list:

    php artisan optimize:clear`,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    // Another rule reports a document that names no software.
    if (document === null || nodeInfoNameOf(evidence) === null) return null;
    const wrong = nodeInfoViolations(document).filter(({ kind }) => kind === 'type');
    return wrong.length === 0
      ? pass('None is of another.')
      : fail(`${nameAll(wrong.map(describeViolation), '; ')}.`, nodeInfoFieldTypes.cure);
  },
};

export const nodeInfoSchema: Rule = {
  id: 'nodeinfo-schema',
  area: 'nodeinfo',
  worst: 'warn',
  title: 'NodeInfo keeps to the schema of version 2.0',
  checks:
    'What the schema says besides fields and types: nothing at the top, in `software`, `services` and `usage` that it does not name, only words that it knows in `protocols` and `services`, `version` "2.0", a `software.name` of small letters, digits and hyphens.',
  why: 'Clients that validate by the schema, or read by lists of known words, refuse the document for one word too many.',
  sources: ['NodeInfo 2.0 schema (http://nodeinfo.diaspora.software/ns/schema/2.0)'],
  cure: 'Put what is your own into `metadata`, which is free, and leave out of `protocols` and `services` what the schema has no word for. A document of version 2.1 belongs at the address of 2.1.',
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    const named = nodeInfoNameOf(evidence);
    // Another rule reports a document that names no software.
    if (document === null || named === null) return null;
    // Bytes that are not UTF-8 decode to arbitrary text; another rule reports them.
    const reading = documentOf(evidence.answers.nodeinfo);
    if (reading.kind === 'object' && !reading.isUtf8) return null;
    // Other rules report the other kinds of violation, and a misspelled name.
    const others = nodeInfoViolations(document).filter(
      ({ kind, path }) => kind === 'other' && !(path === 'software.name' && named.isNearMiss),
    );
    return others.length === 0
      ? pass('It does.')
      : warn(`${nameAll(others.map(describeViolation), '; ')}.`.replace(/^t/, 'T'), nodeInfoSchema.cure);
  },
};

export const nodeInfoProtocols: Rule = {
  id: 'nodeinfo-protocols',
  area: 'nodeinfo',
  worst: 'fail',
  cureFor: 'loops',
  title: 'NodeInfo names ActivityPub as a protocol',
  checks: '`protocols` includes `activitypub`, in small letters, on a server of the service.',
  why: 'Directories of the fediverse leave out servers that do not federate by ActivityPub.',
  sources: ['Interface specification 2.7'],
  cure: `Name the protocol that Loops federates by:

    "protocols": ["activitypub"]`,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    const protocols = property(document, 'protocols');
    if (!Array.isArray(protocols) || nodeInfoNameOf(evidence)?.isExact !== true) return null;
    if (protocols.includes('activitypub')) return pass('It does.');
    return fail(
      protocols.length === 0
        ? 'protocols is an empty list.'
        : `protocols has ${nameAll(protocols.map(showValue))} alone.`,
      nodeInfoProtocols.cure,
    );
  },
};

const MEANS: Partial<Record<InstanceFlag, string>> = {
  'users-without-posts': 'more than a thousand users, and not one post',
  'counts-contradict': 'more active users than users, or more in a month than in half a year',
};

export const nodeInfoCounts: Rule = {
  id: 'nodeinfo-counts',
  area: 'nodeinfo',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The counts of NodeInfo are plausible',
  checks:
    'Users, active users and posts against each other: not more active users than users, posts where there are many users, users where there are posts, no count over a billion. All 0 is worth knowing.',
  why: 'Directories flag implausible counts, or exclude such servers from their totals, since they indicate spam or broken caches.',
  sources: ['Interface specification 2.7', 'NodeInfo 2.0 schema (usage)'],
  cure: `Make Loops count again:

    php artisan cache:clear

See that its scheduled work runs: this line belongs into the crontab of the user of the web server (\`sudo crontab -u www-data -e\`):

    * * * * * cd /var/www/loops && php artisan schedule:run >> /dev/null 2>&1`,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    const counts = document === null ? null : parseNodeInfo(document);
    if (counts === null) return null;
    const { users, activeMonth, activeHalfyear, posts } = counts.usage;
    if (users === null && posts === null) return null;
    const flags = usageFlags([{ at: evidence.at, users, activeMonth, activeHalfyear, posts }]);
    const problems = flags.flatMap((flag) => MEANS[flag] ?? []);
    if (users === 0 && (posts ?? 0) > 0) problems.push('posts, and not one user');
    const shown = `users ${users ?? 'unknown'}, active in half a year ${activeHalfyear ?? 'unknown'}, in a month ${activeMonth ?? 'unknown'}, posts ${posts ?? 'unknown'}`;
    if (flags.includes('counts-absurd'))
      return warn(`${absurd({ users, activeMonth, activeHalfyear, posts })} cannot be right.`, nodeInfoCounts.cure);
    if (problems.length > 0) return warn(`It counts ${problems.join('; ')} (${shown}).`, nodeInfoCounts.cure);
    return users === 0 && posts === 0 ? info(`All are 0 (${shown}).`) : pass(`They are (${shown}).`);
  },
};

/** No server of the fediverse has more. */
const MAX_PLAUSIBLE_COUNT = 1_000_000_000;
const NUMBERS = new Intl.NumberFormat('en');

/** "8,830,041,223 users and 4,871,000,345 posts". */
function absurd(counts: {
  users: number | null;
  activeMonth: number | null;
  activeHalfyear: number | null;
  posts: number | null;
}): string {
  const { users, activeMonth, activeHalfyear, posts } = counts;
  const named = [
    [users, 'users'],
    [activeHalfyear, 'active in half a year'],
    [activeMonth, 'active in a month'],
    [posts, 'posts'],
  ] as const;
  const large = named.filter(([count]) => (count ?? 0) > MAX_PLAUSIBLE_COUNT);
  return (large.length > 0 ? large : named)
    .flatMap(([count, what]) => (count === null ? [] : [`${NUMBERS.format(count)} ${what}`]))
    .join(' and ');
}

const ACTIVE = ['usage.users.activeMonth', 'usage.users.activeHalfyear'] as const;

export const nodeInfoUsage: Rule = {
  id: 'nodeinfo-usage',
  area: 'nodeinfo',
  worst: 'info',
  title: 'NodeInfo counts active users',
  checks:
    'Whether `usage.users.activeMonth` and `usage.users.activeHalfyear` are there. The standard leaves them to the server.',
  why: 'Directories sort by active users. A server that does not count them comes last.',
  sources: ['NodeInfo 2.0 schema (usage.users)'],
  cure: 'Releases of Loops that count them do so by themselves; update where they do not.',
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    if (document === null || valueAt(document, 'usage.users.total') === undefined) return null;
    const missing = ACTIVE.filter((path) => valueAt(document, path) === undefined);
    return missing.length === 0 ? pass('It does.') : info(`Not there: ${nameAll(missing)}.`);
  },
};
