import { asObject, type JsonObject, property } from '../../identify/field-reader.ts';
import { hostOf } from '../../model/domain/domain.ts';
import { parseDomain } from '../../model/domain/parse-domain.ts';
import { REPORTED_LEAVES } from '../../model/facts/fact-leaves.ts';
import { isOlder } from '../../model/facts/version-order.ts';
import { cleanIdentifier, LENGTHS } from '../../model/text/clean-text.ts';
import { configOf, documentOf, findWrapper, isNearMiss, nodeInfoNameOf, valueAt } from '../documents/document.ts';
import type { Evidence } from '../evidence.ts';
import { fail, info, nameAll, pass, type Rule, showValue, warn } from '../rule.ts';
import { mayBeService } from '../server-state.ts';

/** A field of the configuration (specification 2.5). */
interface ConfigField {
  /** The names that it goes by, the specified one first. */
  paths: readonly [string, ...string[]];
  /** The first release of Loops that has it. */
  since: string;
}

/** All of them but `app.software`, which has rules of its own. `app.url` is no fact that is recorded. */
const CONFIG_FIELDS: readonly ConfigField[] = [
  { paths: ['app.url'], since: '1.0.0-beta.6' },
  ...REPORTED_LEAVES.flatMap(({ path, meta: { config, since } }) =>
    config === undefined || since === undefined || path === 'software' ? [] : [{ paths: config, since }],
  ),
];

export const configSoftware: Rule = {
  id: 'config-software',
  area: 'config',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The configuration names the software exactly',
  checks:
    '`app.software` is a string, and the identifier of the software to the letter: small letters, no space, no version. Another software altogether is worth knowing, and keeps the server out of directories of this one.',
  why: 'It is the one string by which apps and directories tell a server of the service, and it is compared as it stands.',
  sources: ['Interface specification 2.5 and 4.4'],
  cure: `Loops writes the name itself, as the seven characters \`"loops"\` with their quotes, and no setting changes it. Put back what was changed in the code, and clear the cache:

    git -C /var/www/loops status
    php artisan optimize:clear`,
  judge(evidence) {
    if (!mayBeService(evidence)) return null;
    const { answers, softwareId } = evidence;
    const reading = documentOf(answers.config);
    if (reading.kind !== 'object' || findWrapper(reading.document) !== null) return null;
    const app = property(reading.document, 'app');
    const software = property(asObject(app), 'software');
    if (typeof software !== 'string' && reading.duplicates.length > 0) return null;
    if (app === undefined) return fail('The document has no app, and so names no software.', configSoftware.cure);
    if (asObject(app) === null)
      return fail(`app is ${showValue(app)} and not an object, so no software is named.`, configSoftware.cure);
    if (software === undefined) return fail('app has no software.', configSoftware.cure);
    if (typeof software !== 'string')
      return fail(`app.software is ${showValue(software)} and not a string.`, configSoftware.cure);
    if (software === softwareId) return pass(`It is ${showValue(software)}.`);
    if (isNearMiss(software, softwareId))
      return fail(
        `app.software is ${showValue(software)}, which is not ${showValue(softwareId)} to the letter.`,
        configSoftware.cure,
      );
    if (nodeInfoNameOf(evidence)?.isExact === true) return null;
    return info(
      `The server says that it runs ${showValue(software)}, which is another software than ${showValue(softwareId)}.`,
    );
  },
};

const cacheCure = `This release has the fields. An answer kept from an older one is the usual reason; clear what is kept:

    php artisan optimize:clear
    php artisan cache:clear`;

export const configFieldsMissing: Rule = {
  id: 'config-fields-missing',
  area: 'config',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Every field of the configuration is there',
  checks:
    'All fields of specification 2.5 but `app.software`, each by its name; a field that is null is missing. The switch for GIFs is there as `hasGifProvider` or, as live servers have it, `hasKlipy`.',
  why: 'What is not said is unknown: directories show a blank, and apps fall back to limits of their own, so that an upload fails at its end.',
  sources: ['Interface specification 2.5'],
  cure: `Update Loops; the fields came with later releases:

    cd /var/www/loops && git pull && composer install --no-dev --optimize-autoloader
    php artisan migrate --force && php artisan optimize:clear`,
  judge(evidence) {
    const read = configOf(evidence);
    if (read === null) return null;
    const missing = CONFIG_FIELDS.filter(({ paths }) => paths.every((path) => isMissing(read.document, path)));
    if (missing.length === 0) return pass('None is missing.');
    const { version } = read.config;
    const detail = `Missing: ${nameAll(missing.map(({ paths }) => paths.join(' or ')))}.`;
    const areLater = version !== null && missing.every(({ since }) => isOlder(version, since) === true);
    return areLater
      ? warn(`${detail} The release that runs here, ${version}, does not have them yet.`, configFieldsMissing.cure)
      : warn(detail, cacheCure);
  },
};

/** A field that lies in something of the wrong type is not missing: the rule of types names that. */
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
  area: 'config',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Every field of the configuration has its type',
  checks:
    'The types of specification 2.5: texts are strings, switches are `true` or `false`, sizes and lengths are whole numbers from 0, formats are a list of strings. A number written as `"40"` and a switch written as `1` are of the wrong type.',
  why: 'A client that expects a number crashes on a text, or compares it as one. Loopscout takes such a field as unknown.',
  sources: ['Interface specification 2.5'],
  cure: `Loops sends each field with its type. Save the settings anew in the admin pages and clear the cache; if the code was changed, cast where the value is read, as in \`(int) $size\` or \`(bool) $open\`:

    php artisan optimize:clear`,
  judge(evidence) {
    const read = configOf(evidence);
    if (read === null) return null;
    const { notes } = read.config;
    if (notes.length === 0) return pass('None is of another.');
    return fail(
      `${nameAll(
        notes.map(({ field, problem }) => `${field}: ${problem}`),
        '; ',
      )}.`,
      configFieldTypes.cure,
    );
  },
};

const cureFor = (domain: string) => `Set the address in \`.env\`:

    APP_URL=https://${domain}

Then let Loops read it anew:

    php artisan config:cache`;

export const configUrl: Rule = {
  id: 'config-url',
  area: 'config',
  worst: 'fail',
  cureFor: 'loops',
  title: 'app.url is the https address of this host',
  checks:
    '`app.url` is an absolute https address of the host that is checked, without user name, path or query. `localhost`, an address that is not public and what is no address fail; another host, plain http and a path warn.',
  why: 'Clients build links from it, and Loops itself builds links and the names of its accounts in the federation from the same setting. A directory takes another host in it for the one that this server speaks for.',
  sources: ['Interface specification 2.5'],
  cure: cureFor('DOMAIN'),
  judge(evidence) {
    const value = configOf(evidence)?.config.appUrl ?? null;
    return value === null ? null : judgeUrl(value, evidence);
  },
};

function judgeUrl(value: string, { domain }: Evidence) {
  const cure = cureFor(domain);
  const shown = `app.url is ${showValue(value)}`;
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return fail(`${shown}, which is no absolute http or https address.`, cure);
  const ownSuffix = hostOf(domain).split('.').at(-1) ?? '';
  const named = parseDomain(url.host, { allowSuffixes: [ownSuffix] });
  if (!named.ok) return fail(`${shown}, which is no public host: nobody else can reach it.`, cure);
  if (url.username !== '' || url.password !== '') return fail(`${shown}, and gives a user name away.`, cure);
  if (named.domain !== domain) return warn(`${shown}, another host than ${domain}.`, cure);
  if (url.protocol === 'http:') return warn(`${shown}, plain http.`, cure);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return warn(`${shown}, with something after the host.`, cure);
  return value.endsWith('/')
    ? info(`${shown}; with a slash at its end, links are written with two.`)
    : pass(`${shown}.`);
}

/** What software writes there when nobody has, in small letters. */
const DEFAULTS: ReadonlySet<string> = new Set([
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
  area: 'config',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The server has a name of its own',
  checks:
    '`app.name` is not empty, and not what the software or its framework writes there by itself (`Loops`, `Laravel`).',
  why: 'It is the headline of the server in every directory and app. Ten servers by the name of "Loops" cannot be told apart.',
  sources: ['Interface specification 2.5'],
  cure: `Give the server its name in the admin settings. Where these leave it to the environment, it is in \`.env\`:

    APP_NAME="Clips of the Harbour"

Then let Loops read it anew:

    php artisan config:cache`,
  judge(evidence) {
    const name = configOf(evidence)?.config.name ?? null;
    if (name === null) return null;
    if (name === '') return warn('app.name is empty.', configName.cure);
    if (DEFAULTS.has(name.toLowerCase()))
      return warn(`app.name is ${showValue(name)}, as before anyone has given it one.`, configName.cure);
    return pass(`It is ${showValue(name)}.`);
  },
};

/** Characters. */
const MIN_USEFUL_LENGTH = 20;
const FILLER = /lorem ipsum|^(?:description|my description|todo|test|your description here)\.?$/i;

export const configDescription: Rule = {
  id: 'config-description',
  area: 'config',
  worst: 'warn',
  title: 'The server says what it is',
  checks:
    '`app.description` is not empty and no filler; one of under 20 characters, or the same as the name, is worth knowing.',
  why: 'It is what people choose a server by in a directory.',
  sources: ['Interface specification 2.5'],
  cure: 'Write a sentence or two in the admin settings of the server: whom it is for, in which language, and what is not welcome.',
  judge(evidence) {
    const config = configOf(evidence)?.config;
    if (config === undefined || config.description === null) return null;
    const { description, name } = config;
    if (description === '') return warn('app.description is empty.', configDescription.cure);
    if (FILLER.test(description))
      return warn(`app.description is filler: ${showValue(description)}.`, configDescription.cure);
    if (description === name) return info('app.description says the same as the name.');
    if (description.length < MIN_USEFUL_LENGTH) return info(`app.description is short: ${showValue(description)}.`);
    return pass('It does.');
  },
};

interface Text {
  path: string;
  maxLength: number;
  /** Line breaks and tabs are fine in it. */
  hasLines?: true;
}

const TEXTS: readonly Text[] = [
  { path: 'app.name', maxLength: LENGTHS.name },
  { path: 'app.description', maxLength: LENGTHS.description, hasLines: true },
  { path: 'app.url', maxLength: LENGTHS.url },
  { path: 'app.version', maxLength: LENGTHS.version },
  { path: 'registration_mode', maxLength: LENGTHS.mode },
];

export const configText: Rule = {
  id: 'config-text',
  area: 'config',
  worst: 'warn',
  title: 'The texts of the configuration are plain text',
  checks: `Control characters, characters that turn the direction of text around, halves of a character, HTML tags, and texts longer than is shown (a name of ${LENGTHS.name} characters, a description of ${LENGTHS.description}).`,
  why: 'Directories strip what could disturb their pages, cut what is too long and show tags as text: what people see is then not what you wrote.',
  sources: ['Interface specification 2.5', 'Unicode Standard Annex 9'],
  cure: 'Type the text anew in the admin settings, as plain text: what is pasted from a word processor or a chat often brings invisible characters along, and tags are shown as they stand.',
  judge(evidence) {
    const read = configOf(evidence);
    if (read === null) return null;
    const problems = TEXTS.flatMap((text) => {
      const value = valueAt(read.document, text.path);
      return typeof value === 'string' ? problemsOf(value, text).map((problem) => `${text.path} ${problem}`) : [];
    });
    return problems.length === 0 ? pass('They are.') : warn(`${nameAll(problems, '; ')}.`, configText.cure);
  },
};

function problemsOf(value: string, { maxLength, hasLines }: Text): string[] {
  const text = hasLines ? value.replace(/[\t\r\n]/g, ' ') : value;
  return [
    ...(cleanIdentifier(text, text.length) === text ? [] : ['has characters that are stripped']),
    ...(value.includes('\ufffd') ? ['has the sign for a character that was lost (U+FFFD)'] : []),
    ...(/<\/?[a-z][^<>]*>/i.test(value) ? ['has HTML tags'] : []),
    ...(value.length > maxLength ? [`is ${value.length} characters long, of which ${maxLength} are shown`] : []),
  ];
}
