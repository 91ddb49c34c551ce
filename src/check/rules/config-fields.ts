import { asObject, type JsonObject, property } from '../../identify/field-reader.ts';
import { type Domain, hostOf, isLocal, originOf } from '../../model/domain/domain.ts';
import { parseDomain } from '../../model/domain/parse-domain.ts';
import { REPORTED_LEAVES } from '../../model/facts/fact-leaves.ts';
import { isOlder } from '../../model/facts/version-order.ts';
import { cleanIdentifier, LENGTHS } from '../../model/text/clean-text.ts';
import { CHANGED_CODE_CURE } from '../cures.ts';
import { configOf, documentOf, findWrapper, isNearMiss, nodeInfoNameOf, valueAt } from '../documents/document.ts';
import type { Evidence } from '../evidence.ts';
import { fail, info, listItems, pass, type Rule, showValue, warn } from '../rule.ts';
import { mayBeLoops } from '../server-state.ts';

/** A field of the configuration (specification 2.5). */
interface ConfigField {
  /** The paths at which releases report the field, the specified one first. */
  paths: readonly [string, ...string[]];
  /** The first release of Loops that has it. */
  since: string;
}

/** All fields but `app.software`, which has a rule of its own. `app.url` is not in the table of facts. */
const CONFIG_FIELDS: readonly ConfigField[] = [
  { paths: ['app.url'], since: '1.0.0-beta.6' },
  ...REPORTED_LEAVES.flatMap(({ path, meta: { config, since } }) =>
    config === undefined || since === undefined || path === 'software' ? [] : [{ paths: config, since }],
  ),
];

export const configSoftware: Rule = {
  id: 'config-software',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The configuration names the software exactly',
  checks:
    '`app.software` is a string that equals the software id exactly: lower case, no space, no version. Other software is info, unless NodeInfo names Loops (`agreement-software` then fails); directories of Loops do not list it.',
  why: 'Apps and directories identify a Loops server by this string, and compare it exactly.',
  sources: ['Interface specification 2.5 and 4.4'],
  cure: `Loops always sends \`"software": "loops"\`, and no setting changes it. Revert any change of the code, and clear the cache:

    git -C /var/www/loops status
    php artisan optimize:clear`,
  judge(evidence) {
    if (!mayBeLoops(evidence)) return null;
    const { answers, softwareId } = evidence;
    const reading = documentOf(answers.config);
    if (reading.kind !== 'object' || findWrapper(reading.document) !== null) return null;
    const app = property(reading.document, 'app');
    const software = property(asObject(app), 'software');
    if (typeof software !== 'string' && reading.duplicates.length > 0) return null;
    if (app === undefined) return fail('The document has no app, so it names no software.');
    if (asObject(app) === null) return fail(`app is ${showValue(app)} and not an object, so no software is named.`);
    if (software === undefined) return fail('app has no software.');
    if (typeof software !== 'string') return fail(`app.software is ${showValue(software)} and not a string.`);
    if (software === softwareId) return pass(`It is ${showValue(software)}.`);
    if (isNearMiss(software, softwareId))
      return fail(`app.software is ${showValue(software)}, not exactly ${showValue(softwareId)}.`);
    if (nodeInfoNameOf(evidence)?.isExact === true) return null;
    return info(`The server identifies itself as ${showValue(software)}, not ${showValue(softwareId)}.`);
  },
};

const cacheCure = `Loops sends these fields, unless the release is too old for them. The usual cause is an answer cached from an older release; clear the caches:

    php artisan optimize:clear
    php artisan settings:regenerate`;

export const configFieldsMissing: Rule = {
  id: 'config-fields-missing',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The configuration has every field',
  checks:
    'All fields of specification 2.5 but `app.software`; a field that is null counts as missing. The switch for GIFs may be `hasGifProvider` or, as on live servers, `hasKlipy`.',
  why: 'A missing field is unknown: directories show a blank, and apps assume limits of their own, so that uploads fail after they were sent.',
  sources: ['Interface specification 2.5'],
  cure: `Update Loops; the fields came with later releases:

    cd /var/www/loops && git pull && composer install --no-dev --optimize-autoloader
    php artisan migrate --force && php artisan optimize:clear`,
  judge(evidence) {
    const read = configOf(evidence);
    if (read === null) return null;
    const missing = CONFIG_FIELDS.filter(({ paths }) => paths.every((path) => isMissing(read.document, path)));
    if (missing.length === 0) return pass('No field is missing.');
    const { version } = read.config;
    const detail = `Missing: ${listItems(missing.map(({ paths }) => paths.join(' or ')))}.`;
    const isReleaseTooOld = version !== null && missing.every(({ since }) => isOlder(version, since) === true);
    return isReleaseTooOld
      ? warn(`${detail} The release that runs here, ${version}, does not have them yet.`)
      : warn(detail, cacheCure);
  },
};

/** False for a field whose parent has the wrong type: `config-field-types` reports the parent. */
function isMissing(document: JsonObject, path: string): boolean {
  const [parent, child] = path.split('.');
  if (child !== undefined && parent !== undefined) {
    const holder = property(document, parent) ?? null;
    if (holder !== null && asObject(holder) === null) return false;
  }
  return (valueAt(document, path) ?? null) === null;
}

export const configFieldTypes: Rule = {
  id: 'config-field-types',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Every field of the configuration has the right type',
  checks:
    'The types of specification 2.5: texts are strings, switches are `true` or `false`, sizes and lengths are non-negative integers, formats are a list of at most 64 strings. A number written as `"40"` and a switch written as `1` are of the wrong type.',
  why: 'A client that expects a number may crash on a text, or compare it as a text. Loopscout treats such a field as unknown.',
  sources: ['Interface specification 2.5'],
  cure: `Loops sends each field with the right type. Save the settings again in the admin pages and clear the cache:

    php artisan optimize:clear

${CHANGED_CODE_CURE}`,
  judge(evidence) {
    const read = configOf(evidence);
    if (read === null) return null;
    const { notes } = read.config;
    if (notes.length === 0) return pass('Every field has the right type.');
    return fail(
      `${listItems(
        notes.map(({ field, problem }) => `${field}: ${problem}`),
        '; ',
      )}.`,
    );
  },
};

const URL_CURE = `Set the URL in \`.env\`:

    APP_URL=https://DOMAIN

Then make Loops reload it:

    php artisan config:cache
    php artisan settings:regenerate`;

export const configUrl: Rule = {
  id: 'config-url',
  worst: 'fail',
  cureFor: 'loops',
  title: 'app.url is the https URL of this host',
  checks:
    '`app.url` is an absolute https URL of the host that is checked, without user name, path or query. `localhost`, a host that is not public, a user name and an invalid URL fail; another host, plain http or a path is a warning; a final slash is info. For a local server, every http or https URL but its own is info.',
  why: 'Clients build links from it, and Loops builds its own links and federated account names from the same setting. A directory assumes that a server belongs to the host named here.',
  sources: ['Interface specification 2.5'],
  cure: URL_CURE,
  judge(evidence) {
    const value = configOf(evidence)?.config.appUrl ?? null;
    return value === null ? null : judgeUrl(value, evidence);
  },
};

function judgeUrl(value: string, { domain }: Evidence) {
  const shown = `app.url is ${showValue(value)}`;
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return fail(`${shown}, which is not an absolute http or https URL.`);
  if (isLocal(domain)) return judgeLocalUrl(url, shown, domain);
  // The suffix of the checked host is accepted even if it is not a public one.
  const ownSuffix = hostOf(domain).split('.').at(-1) ?? '';
  const named = parseDomain(url.host, { allowSuffixes: [ownSuffix] });
  if (!named.ok) return fail(`${shown}, which is not a public host: nobody else can reach it.`);
  if (url.username !== '' || url.password !== '') return fail(`${shown}, which contains a user name.`);
  if (named.domain !== domain)
    return warn(
      `${shown}, another host than ${domain}.`,
      `If accounts of this server have the name in app.url, it must stay: check that name, and redirect ${domain} to it. Otherwise:\n\n${URL_CURE}`,
    );
  if (url.protocol === 'http:') return warn(`${shown}, plain http.`);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return warn(`${shown}, with something after the host.`);
  return value.endsWith('/') ? info(`${shown}; its final slash leads to links with two slashes.`) : pass(`${shown}.`);
}

/** A local server should name itself; another URL may be that of the public host that it will have. */
function judgeLocalUrl(url: URL, shown: string, domain: Domain) {
  return url.origin === originOf(domain) ? pass(`${shown}.`) : info(`${shown}, another URL than the one checked.`);
}

/** Names that say nothing: defaults of software and placeholders, in lower case. */
const DEFAULT_NAMES: ReadonlySet<string> = new Set([
  'laravel',
  'loops',
  'loops server',
  'my loops',
  'my loops server',
  'my server',
  'server',
  'localhost',
  'example',
  'test',
  'app',
]);

export const configName: Rule = {
  id: 'config-name',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The server has a name of its own',
  checks: '`app.name` is not empty. A default or placeholder name (`Loops`, `Laravel`, `test`) is info.',
  why: 'It is the headline of the server in every directory and app. Ten servers named "Loops" are indistinguishable.',
  sources: ['Interface specification 2.5'],
  cure: `Give the server its name in the admin settings. If it is not set there, it is in \`.env\`:

    APP_NAME="Clips of the Harbour"

Then make Loops reload it:

    php artisan config:cache
    php artisan settings:regenerate`,
  judge(evidence) {
    const read = configOf(evidence);
    const name = read?.config.name ?? null;
    if (name === null) return read !== null && isTextAt(read.document, 'app.name') ? warn('app.name is empty.') : null;
    if (DEFAULT_NAMES.has(name.toLowerCase()))
      return info(
        `app.name is ${showValue(name)}, a default or placeholder name. Change it in the admin settings of the server.`,
      );
    return pass(`It is ${showValue(name)}.`);
  },
};

/** In characters. */
const MIN_USEFUL_LENGTH = 20;
const FILLER = /lorem ipsum|^(?:description|my description|todo|test|your description here)\.?$/i;

export const configDescription: Rule = {
  id: 'config-description',
  worst: 'warn',
  title: 'The server describes itself',
  checks:
    '`app.description` is not filler. An empty one, one of under 20 characters and one equal to the name are info.',
  why: 'People choose a server in a directory by its description.',
  sources: ['Interface specification 2.5'],
  cure: 'Write a sentence or two in the admin settings of the server: its audience, its language, and what is not welcome.',
  judge(evidence) {
    const read = configOf(evidence);
    if (read === null) return null;
    const { description, name } = read.config;
    if (description === null)
      return isTextAt(read.document, 'app.description')
        ? info('app.description is empty, as after an installation. Change it in the admin settings of the server.')
        : null;
    if (FILLER.test(description)) return warn(`app.description is filler: ${showValue(description)}.`);
    if (description === name) return info('app.description is the same as the name.');
    if (description.length < MIN_USEFUL_LENGTH) return info(`app.description is short: ${showValue(description)}.`);
    return pass('The server has a description.');
  },
};

/** A text that is no fact, because nothing of it is visible. */
const isTextAt = (document: JsonObject, path: string) => typeof valueAt(document, path) === 'string';

interface TextField {
  path: string;
  maxLength: number;
  /** Line breaks and tabs are allowed. */
  allowsLineBreaks?: true;
}

const TEXT_FIELDS: readonly TextField[] = [
  { path: 'app.name', maxLength: LENGTHS.name },
  { path: 'app.description', maxLength: LENGTHS.description, allowsLineBreaks: true },
  { path: 'app.url', maxLength: LENGTHS.url },
  { path: 'app.version', maxLength: LENGTHS.version },
  { path: 'registration_mode', maxLength: LENGTHS.mode },
];

export const configText: Rule = {
  id: 'config-text',
  worst: 'warn',
  title: 'The texts of the configuration are plain text',
  checks: `In name, description, URL, version and registration mode: control characters, characters that change the text direction, broken characters, HTML tags, and texts longer than the displayed length (a name of ${LENGTHS.name} characters, a description of ${LENGTHS.description}).`,
  why: 'Directories remove special characters, shorten long texts and show tags as text, so that people do not see what you wrote.',
  sources: ['Interface specification 2.5', 'Unicode Standard Annex 9'],
  cure: 'Retype the text in the admin settings, as plain text: text pasted from a word processor or a chat often contains invisible characters, and tags are shown as text.',
  judge(evidence) {
    const read = configOf(evidence);
    if (read === null) return null;
    const problems = TEXT_FIELDS.flatMap((text) => {
      const value = valueAt(read.document, text.path);
      return typeof value === 'string' ? problemsOf(value, text).map((problem) => `${text.path} ${problem}`) : [];
    });
    return problems.length === 0 ? pass('The texts are plain text.') : warn(`${listItems(problems, '; ')}.`);
  },
};

function problemsOf(value: string, { maxLength, allowsLineBreaks }: TextField): string[] {
  const text = allowsLineBreaks ? value.replace(/[\t\r\n]/g, ' ') : value;
  const { length } = [...value];
  return [
    ...(cleanIdentifier(text, text.length) === text ? [] : ['has characters that are replaced']),
    ...(value.includes('\ufffd') ? ['has the replacement character U+FFFD'] : []),
    ...(/<\/?[a-z][^<>]*>/i.test(value) ? ['has HTML tags'] : []),
    ...(length > maxLength ? [`is ${length} characters long, of which ${maxLength} are shown`] : []),
  ];
}
