import { asObject, type JsonObject, property } from '../../identify/json.ts';
import { parseConfig, type ServerConfig } from '../../identify/parse-config.ts';
import type { Evidence } from '../evidence.ts';
import { documentOf } from './document.ts';

/**
 * Whether a name is that of the software, but for what a comparison with `===` does not forgive: capitals, white space, invisible
 * characters, a version or an owner written along with it. `loops-relay` is another software and no near miss.
 */
export function isNearMiss(name: string, softwareId: string): boolean {
  if (name === softwareId) return false;
  const plain = name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .toLowerCase();
  const id = softwareId.toLowerCase();
  const rest = plain.replace(/^join[\w-]*\//, '');
  if (!rest.startsWith(id)) return false;
  return /^(?:[-_ ]?server)?(?:[-_ /@:]?v?\d.*)?$/.test(rest.slice(id.length));
}

interface ConfigRead {
  document: JsonObject;
  config: ServerConfig;
}

/**
 * The configuration of a server that is, or would be but for the spelling, one of the service (specification 2.5). Null where there is
 * none, or where it names no software or another: what is wrong then is named by the rules of the answer and of `app.software`.
 */
export function configOf({ answers, softwareId }: Evidence): ConfigRead | null {
  const reading = documentOf(answers.config);
  if (reading.kind !== 'object') return null;
  const config = parseConfig(reading.document);
  if (config === null) return null;
  const isOurs = config.softwareId === softwareId || isNearMiss(config.softwareId, softwareId);
  return isOurs ? { document: reading.document, config } : null;
}

const MOST_LOOKED_AT = 20;

/** The member that a document is wrapped in, as `data` in `{"data":{"app":…}}`; null when it has an `app` itself, or nowhere near. */
export function findWrapped(document: JsonObject): string | null {
  if (property(document, 'app') !== undefined) return null;
  const members = Object.entries(document).slice(0, MOST_LOOKED_AT);
  const [key] = members.find(([, value]) => asObject(property(asObject(value), 'app')) !== null) ?? [];
  return key ?? null;
}

/** Whether an address is on the host that `app.url` wrongly names: Loops builds both from one setting, and config's rule names it. */
export function namesAppUrl(url: URL, evidence: Evidence): boolean {
  const appUrl = URL.parse(configOf(evidence)?.config.appUrl ?? '');
  return appUrl !== null && appUrl.host === url.host && url.host !== evidence.domain;
}
