import { isOlder } from '../../model/facts/version-order.ts';
import {
  configAndNodeInfo,
  configOf,
  documentOf,
  FIRST_WITH_CONFIG,
  isNearMiss,
  nodeInfoNameOf,
  valueAt,
  versionBeforeConfig,
  versionOf,
} from '../documents/document.ts';
import { fail, info, pass, type Rule, showValue, warn } from '../rule.ts';

const agreementSoftware: Rule = {
  id: 'agreement-software',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Config and NodeInfo name the same software',
  checks:
    '`app.software` of config and `software.name` of NodeInfo are the same text. If one of them is only misspelled, the rule on that document reports it instead.',
  why: 'Some clients read config and others NodeInfo: they see different software, and directories flag or drop the server.',
  sources: ['Interface specification 2.5, 2.7 and 4.4'],
  cure: `One of the two answers comes from another program. Find out which program answers for each path, and route both to Loops.

    grep -rn 'nodeinfo\\|api/v1/config' /etc/nginx/
    ls -lR public/.well-known public/nodeinfo public/api`,
  judge(evidence) {
    const config = documentOf(evidence.answers.config);
    const inNodeInfo = nodeInfoNameOf(evidence);
    const inConfig = config.kind === 'object' ? valueAt(config.document, 'app.software') : undefined;
    if (typeof inConfig !== 'string' || inNodeInfo === null) return null;
    if (inConfig === inNodeInfo.name) return pass(`Both name ${showValue(inConfig)}.`);
    if (inNodeInfo.isNearMiss || isNearMiss(inConfig, evidence.softwareId)) return null;
    return fail(`Config names ${showValue(inConfig)}, NodeInfo names ${showValue(inNodeInfo.name)}.`);
  },
};

const agreementVersion: Rule = {
  id: 'agreement-version',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Config and NodeInfo report the same version',
  checks: '`app.version` of config and `software.version` of NodeInfo are the same text.',
  why: 'The true version cannot be determined from outside. Directories count the server under one of the two, and flag it.',
  sources: ['Interface specification 2.5, 2.7 and 9'],
  cure: `One of the answers is cached from before an update. Clear the caches and restart PHP, which also caches old code:

    php artisan optimize:clear
    sudo systemctl restart 'php*-fpm'`,
  judge(evidence) {
    const both = configAndNodeInfo(evidence);
    const inConfig = both?.config.version ?? null;
    const inNodeInfo = both?.nodeInfo.version ?? null;
    if (inConfig === null || inNodeInfo === null) return null;
    if (inConfig === inNodeInfo) return pass(`Both report ${showValue(inConfig)}.`);
    return warn(`Config reports ${showValue(inConfig)}, NodeInfo ${showValue(inNodeInfo)}.`);
  },
};

const agreementRegistration: Rule = {
  id: 'agreement-registration',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Config and NodeInfo agree on registration',
  checks:
    '`registration` of config and `openRegistrations` of NodeInfo are both `true` or both `false`. `registration_mode` is a fact of its own and is not compared.',
  why: 'People are sent to a server that does not accept them, or are not sent to one that would.',
  sources: ['Interface specification 2.5 and 2.7'],
  cure: `Save the registration setting again in the admin settings, or rebuild the cached settings:

    php artisan settings:regenerate`,
  judge(evidence) {
    const both = configAndNodeInfo(evidence);
    const inConfig = both?.config.registration.open ?? null;
    const inNodeInfo = both?.nodeInfo.registration.open ?? null;
    if (inConfig === null || inNodeInfo === null) return null;
    const word = (isOpen: boolean) => (isOpen ? 'open' : 'closed');
    if (inConfig === inNodeInfo) return pass(`Both report that registration is ${word(inConfig)}.`);
    return warn(`Config reports that registration is ${word(inConfig)}, NodeInfo that it is ${word(inNodeInfo)}.`);
  },
};

const agreementName: Rule = {
  id: 'agreement-name',
  worst: 'info',
  title: 'Config and NodeInfo give the server the same name',
  checks: '`app.name` of config and `metadata.nodeName` of NodeInfo are the same text, if both are present.',
  why: 'Directories show different names for the server, depending on the document that they read.',
  sources: ['Interface specification 2.5 and 2.7 (metadata)'],
  cure: `Rebuild the cached settings:

    php artisan settings:regenerate`,
  judge(evidence) {
    const both = configAndNodeInfo(evidence);
    const inConfig = both?.config.name ?? null;
    const inNodeInfo = both?.nodeInfo.name ?? null;
    if (inConfig === null || inNodeInfo === null) return null;
    if (inConfig === inNodeInfo) return pass('Both have the same name.');
    return info(`Config has ${showValue(inConfig)}, NodeInfo has ${showValue(inNodeInfo)}.`);
  },
};

const agreementVersionConfig: Rule = {
  id: 'agreement-version-config',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The release has a configuration endpoint',
  checks: `Whether NodeInfo names a release before ${FIRST_WITH_CONFIG}, the first with a configuration endpoint, on a server whose \`/api/v1/config\` returns no configuration.`,
  why: 'Current apps request only this endpoint before sign-in, and report the server as incompatible. With federation off, nothing else names the software.',
  sources: ['Interface specification 4.4'],
  cure: `Back up the database, then update, as the notes of the releases in between say; in short:

    cd /var/www/loops && php artisan down && git pull
    composer install --no-dev --optimize-autoloader
    php artisan migrate --force && php artisan optimize:clear && php artisan up`,
  judge(evidence) {
    const version = versionBeforeConfig(evidence);
    if (version !== null)
      return fail(
        `${showValue(version)} is running. The endpoint came with ${FIRST_WITH_CONFIG}, so this release has none.`,
      );
    return configOf(evidence) === null ? null : pass('The release has it.');
  },
};

const agreementVersionNewest: Rule = {
  id: 'agreement-version-newest',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The newest release is running',
  checks:
    'Compares the version with the newest known release. Reports nothing when none is known, when the version cannot be compared, or when `agreement-version-config` fails.',
  why: 'Later releases fix vulnerabilities, and have fields and routes that apps need. Directories flag outdated servers.',
  sources: ['Semantic Versioning 2.0.0 section 11'],
  cure: `Back up the database, then update, as the notes of the release say; in short:

    cd /var/www/loops && php artisan down && git pull
    composer install --no-dev --optimize-autoloader
    php artisan migrate --force && php artisan optimize:clear && php artisan up`,
  judge(evidence) {
    const { newestVersion } = evidence;
    const version = versionOf(evidence);
    if (version === null || newestVersion === null || versionBeforeConfig(evidence) !== null) return null;
    const isBehind = isOlder(version, newestVersion);
    if (isBehind === null) return null;
    return isBehind
      ? warn(`${showValue(version)} is running; the newest release known is ${showValue(newestVersion)}.`)
      : pass(`${showValue(version)} is running; no newer release is known.`);
  },
};

const agreementVersionForm: Rule = {
  id: 'agreement-version-form',
  worst: 'info',
  title: 'The version can be compared',
  checks:
    'The version follows Semantic Versioning, such as `1.0.0-beta.14`; a leading `v` or zero and a missing hyphen are tolerated.',
  why: 'A version in another form cannot be compared: directories cannot tell whether it is outdated.',
  sources: ['Semantic Versioning 2.0.0'],
  cure: 'Releases of Loops use this form. For a fork, name the release that it is based on: `1.0.0-beta.14+fork.1`.',
  judge(evidence) {
    const version = versionOf(evidence);
    if (version === null) return null;
    return isOlder(version, version) === null
      ? info(`The version is ${showValue(version)}, which is not of the form 1.0.0-beta.14.`)
      : pass(`It is ${showValue(version)}.`);
  },
};

export const agreementRules: readonly Rule[] = [
  agreementSoftware,
  agreementVersion,
  agreementRegistration,
  agreementName,
  agreementVersionConfig,
  agreementVersionNewest,
  agreementVersionForm,
];
