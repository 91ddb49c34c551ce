import { visit as walkJson } from 'jsonc-parser';
import type { HttpFailure } from '../../http/failure.ts';
import { classifyPage } from '../../http/page-class.ts';
import { locationUrl } from '../../http/response-headers.ts';
import { NO_RULES, parseRobots, type Robots, withoutPartialLine } from '../../http/robots.ts';
import {
  type NodeInfo,
  parseConfig,
  parseDiscovery,
  parseHref,
  parseNodeInfo,
  type ServerConfig,
} from '../../identify/documents.ts';
import { asObject, isTooDeep, type JsonObject, MAX_DEPTH, property } from '../../identify/field-reader.ts';
import { isOlder } from '../../model/facts/version-order.ts';
import { findJsonFault } from '../../model/text/json-fault.ts';
import { isHtml, isStillCompressed } from '../answers.ts';
import type { CheckExchange, Evidence } from '../evidence.ts';
import { showValue } from '../rule.ts';

/** The result of a request for a JSON document. */
export type DocumentReading =
  /** The request was not sent. */
  | { kind: 'not-requested' }
  | { kind: 'failure'; failure: HttpFailure; detail: string | null }
  /** A challenge page of a proxy. */
  | { kind: 'challenge'; by: string | null; status: number }
  /** `to` is null when `location` is not a valid URL. */
  | { kind: 'redirect'; status: number; location: string; to: URL | null }
  /** Any other status but 2xx. */
  | { kind: 'status'; status: number }
  /** Not JSON, or not an object. */
  | { kind: 'not-json'; problem: JsonProblem }
  | JsonDocument;

interface JsonDocument {
  kind: 'object';
  document: JsonObject;
  hasByteOrderMark: boolean;
  isUtf8: boolean;
  /** Paths of duplicate members; `[]` stands for any list index. */
  duplicates: readonly string[];
}

/** Why a body is not a JSON object. */
export interface JsonProblem {
  code:
    | 'empty'
    | 'compressed'
    | 'page'
    | 'php-source'
    | 'other-text'
    | 'cut-off'
    | 'after-end'
    | 'invalid'
    | 'too-deep'
    | 'not-an-object';
  /** Ends a sentence about the body. */
  text: string;
}

const readings = new WeakMap<CheckExchange, DocumentReading>();

/** Classifies an answer. Results are cached, since many rules read the same answers. */
export function documentOf(exchange: CheckExchange | null): DocumentReading {
  if (exchange === null) return { kind: 'not-requested' };
  const known = readings.get(exchange);
  if (known !== undefined) return known;
  const reading = readAnswer(exchange);
  readings.set(exchange, reading);
  return reading;
}

function readAnswer({ status, headers, body, failure, detail, url }: CheckExchange): DocumentReading {
  if (failure !== null) return { kind: 'failure', failure, detail };
  if (status === null) return { kind: 'failure', failure: 'connection-reset', detail };
  const page = classifyPage({ status, headers, body });
  if (page?.class === 'challenge-page') return { kind: 'challenge', by: page.by, status };
  if (status >= 300 && status < 400 && headers.location !== undefined)
    return { kind: 'redirect', status, location: headers.location, to: locationUrl(headers.location, url) };
  if (status < 200 || status >= 300) return { kind: 'status', status };
  if (isStillCompressed({ body })) {
    const text =
      headers['content-encoding'] === undefined ? 'is compressed, but has no Content-Encoding' : 'is compressed twice';
    return { kind: 'not-json', problem: { code: 'compressed', text } };
  }
  return readObject(body);
}

const TOO_DEEP: JsonProblem = { code: 'too-deep', text: `nests objects and lists more than ${MAX_DEPTH} levels deep` };

/** Parses a body as a JSON object (RFC 8259), with its encoding faults and duplicate members. */
function readObject(body: Uint8Array): DocumentReading {
  const text = new TextDecoder().decode(body);
  const problem = jsonProblem(text) ?? (isTooDeep(text) ? TOO_DEEP : null);
  if (problem !== null) return { kind: 'not-json', problem };
  const value: unknown = JSON.parse(text);
  const document = asObject(value);
  if (document === null) {
    const notAnObject = `is JSON, but not an object: ${showValue(value)}`;
    return { kind: 'not-json', problem: { code: 'not-an-object', text: notAnObject } };
  }
  return {
    kind: 'object',
    document,
    hasByteOrderMark: hasByteOrderMark(body),
    isUtf8: isUtf8(body),
    duplicates: duplicateMembers(text),
  };
}

/** Why a text is not JSON; null when it is. `too-deep` here means too deep for the parser; `MAX_DEPTH` is not checked. */
export function jsonProblem(text: string): JsonProblem | null {
  const fault = findJsonFault(text);
  if (fault === null) return null;
  const trimmed = text.trim();
  if (trimmed === '') return { code: 'empty', text: 'is empty' };
  if (/^<(?:!doctype|html|\?xml|head|body|div)/i.test(trimmed)) return { code: 'page', text: 'is a page of HTML' };
  if (/^<\?(?:php|=)/i.test(trimmed)) return { code: 'php-source', text: 'is the source of a PHP program' };
  if (!/^[[{]/.test(trimmed))
    return { code: 'other-text', text: `begins with ${showValue(trimmed.slice(0, 40))}, which is not JSON` };
  const found = text.slice(fault.offset);
  switch (fault.kind) {
    case 'too-deep':
      return TOO_DEEP;
    case 'cut-off':
      return { code: 'cut-off', text: 'is cut off before its end' };
    case 'after-end':
      return {
        code: 'after-end',
        text: `goes on after the end of the JSON, with ${showValue(found.trim().slice(0, 60))}`,
      };
    case 'invalid': {
      const place = `line ${fault.line}, column ${fault.column}`;
      return {
        code: 'invalid',
        text: `is not valid JSON: ${place} has ${showValue(found.slice(0, 20))} in place of ${fault.expected}`,
      };
    }
  }
}

function hasByteOrderMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

function duplicateMembers(json: string): string[] {
  const duplicates = new Set<string>();
  /** The names in each object that has not ended, outermost first. */
  const openObjects: Set<string>[] = [];
  walkJson(json, {
    onObjectBegin: () => {
      openObjects.push(new Set());
    },
    onObjectEnd: () => {
      openObjects.pop();
    },
    onObjectProperty: (name, _offset, _length, _line, _character, pathOf) => {
      const names = openObjects.at(-1);
      if (names?.has(name) === true)
        duplicates.add([...pathOf(), name].map((part) => (typeof part === 'number' ? '[]' : part)).join('.'));
      names?.add(name);
    },
  });
  return [...duplicates];
}

/** The value at a path such as `app.name`; undefined when it is missing, or its parent is not an object. */
export function valueAt(document: JsonObject, path: string): unknown {
  let value: unknown = document;
  for (const key of path.split('.')) value = property(asObject(value), key);
  return value;
}

/**
 * Whether a name is a misspelling of the software id: it differs in case, white space or invisible characters, or adds an owner, `server`
 * or a version. `loops-relay` is other software, not a near miss.
 */
export function isNearMiss(name: string, softwareId: string): boolean {
  if (name === softwareId) return false;
  const plain = name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .toLowerCase();
  const id = softwareId.toLowerCase();
  // An owner, as in the name of the repository: `joinloops/loops-server`.
  const withoutOwner = plain.replace(/^join[\w-]*\//, '');
  if (!withoutOwner.startsWith(id)) return false;
  return /^(?:[-_ ]?server)?(?:[-_ /@:]?v?\d.*)?$/.test(withoutOwner.slice(id.length));
}

interface LoopsConfig {
  document: JsonObject;
  config: ServerConfig;
}

/**
 * The configuration of a server that names the software, misspelled or not (specification 2.5). Null when there is no configuration, and
 * when it names no software or other software; rules on the answer and on `app.software` report these cases.
 */
export function configOf({ answers, softwareId }: Evidence): LoopsConfig | null {
  const reading = documentOf(answers.config);
  if (reading.kind !== 'object') return null;
  const config = parseConfig(reading.document);
  if (config === null) return null;
  const isLoops = config.softwareId === softwareId || isNearMiss(config.softwareId, softwareId);
  return isLoops ? { document: reading.document, config } : null;
}

const MAX_MEMBERS = 20;

/** The member that wraps a document, such as `data` in `{"data":{"app":…}}`; null when there is none. */
export function findWrapper(document: JsonObject): string | null {
  if (property(document, 'app') !== undefined) return null;
  const members = Object.entries(document).slice(0, MAX_MEMBERS);
  const [key] = members.find(([, value]) => asObject(property(asObject(value), 'app')) !== null) ?? [];
  return key ?? null;
}

/** The NodeInfo discovery document; null when it cannot be read, which other rules report. */
export function discoveryOf({ answers }: Evidence): JsonObject | null {
  const reading = documentOf(answers.discovery);
  return reading.kind === 'object' ? reading.document : null;
}

interface Link {
  rel: unknown;
  href: unknown;
}

/** The links of a discovery document. `links` may be a list, a single link or an object of links. */
export function linksOf(document: JsonObject): Link[] {
  const links = property(document, 'links');
  const object = asObject(links);
  const isSingle = object !== null && typeof property(object, 'rel') === 'string';
  const items: readonly unknown[] = Array.isArray(links) ? links : isSingle ? [object] : Object.values(object ?? {});
  return items.flatMap((item) => {
    const link = asObject(item);
    return link === null ? [] : [{ rel: property(link, 'rel'), href: property(link, 'href') }];
  });
}

const SCHEMA_2_0 = '/schema/2.0';

/** The entries whose `rel` ends with `/schema/2.0` (specification 4.4). */
export function nodeInfo20Links(document: JsonObject): Link[] {
  return linksOf(document).filter(({ rel }) => typeof rel === 'string' && rel.endsWith(SCHEMA_2_0));
}

/** The entry that a crawl follows: the first with an `href`, else the first. */
export function nodeInfo20Link(document: JsonObject): Link | null {
  const links = nodeInfo20Links(document);
  return links.find(({ href }) => typeof href === 'string') ?? links[0] ?? null;
}

/** The NodeInfo 2.0 document, of any software; null when it cannot be read, which other rules report. */
export function nodeInfoOf({ answers }: Evidence): JsonObject | null {
  const reading = documentOf(answers.nodeinfo);
  return reading.kind === 'object' ? reading.document : null;
}

/** `software.name` of the NodeInfo document; null when it names none. */
export function nodeInfoNameOf(evidence: Evidence): { name: string; isExact: boolean; isNearMiss: boolean } | null {
  const name = property(asObject(property(nodeInfoOf(evidence), 'software')), 'name');
  if (typeof name !== 'string') return null;
  const { softwareId } = evidence;
  return { name, isExact: name === softwareId, isNearMiss: isNearMiss(name, softwareId) };
}

/** The robots.txt of the host. */
interface RobotsText {
  /** Without a line that was cut at the size limit. Empty when there is no file; everything is then allowed. */
  body: Uint8Array;
  /** The rules for a product token. Default: that of Loopscout. */
  robotsFor: (token?: string) => Robots;
}

/**
 * The robots.txt that a crawl would obey (RFC 9309 section 2.3.1): a 4xx other than 429 counts as an empty file. Null when the file could not
 * be fetched, was redirected, or is a challenge or HTML page or still compressed; other rules report that.
 */
export function robotsOf({ answers }: Evidence): RobotsText | null {
  const { robots } = answers;
  if (robots === null || robots.failure !== null || robots.status === null) return null;
  if (robots.status === 429 || robots.status >= 500 || (robots.status >= 300 && robots.status < 400)) return null;
  if (documentOf(robots).kind === 'challenge') return null;
  if (robots.status >= 400) return { body: new Uint8Array(), robotsFor: () => NO_RULES };
  if (isHtml(robots) || isStillCompressed(robots)) return null;
  const body = withoutPartialLine(robots.body);
  return { body, robotsFor: (token) => parseRobots(body, token) };
}

/** A request that a directory sends to identify a server. */
interface IdentificationTarget {
  name: 'config' | 'discovery' | 'nodeinfo';
  /** Path and query. */
  target: string;
}

const USUAL_NODEINFO = '/nodeinfo/2.0';

/**
 * The requests to this host that identify a server (specification 4.4). NodeInfo is requested at its advertised URL, or at the usual path
 * when discovery has no links or could not be read.
 */
export function identificationTargets(evidence: Evidence): IdentificationTarget[] {
  const targets: IdentificationTarget[] = [
    { name: 'config', target: '/api/v1/config' },
    { name: 'discovery', target: '/.well-known/nodeinfo' },
  ];
  const discovery = discoveryOf(evidence);
  if (discovery === null || property(discovery, 'links') === undefined)
    return [...targets, { name: 'nodeinfo', target: USUAL_NODEINFO }];
  const href = parseHref(parseDiscovery(discovery)?.href ?? '');
  return href !== null && href.url.host === evidence.domain
    ? [...targets, { name: 'nodeinfo', target: href.target }]
    : targets;
}

/** Config and NodeInfo of a Loops server; null unless both exist and name Loops. */
export function configAndNodeInfo(evidence: Evidence): { config: ServerConfig; nodeInfo: NodeInfo } | null {
  const { softwareId } = evidence;
  const config = configOf(evidence)?.config;
  const document = nodeInfoOf(evidence);
  const nodeInfo = document === null ? null : parseNodeInfo(document);
  if (config === undefined || nodeInfo === null) return null;
  const isLoops = nodeInfo.softwareId === softwareId || isNearMiss(nodeInfo.softwareId, softwareId);
  return isLoops ? { config, nodeInfo } : null;
}

/** The version of a Loops server, from config or else NodeInfo; null when neither has it. */
export function versionOf(evidence: Evidence): string | null {
  const read = configOf(evidence);
  if (read !== null && read.config.version !== null) return read.config.version;
  const document = nodeInfoOf(evidence);
  const named = nodeInfoNameOf(evidence);
  if (document === null || named === null || !(named.isExact || named.isNearMiss)) return null;
  return parseNodeInfo(document)?.version ?? null;
}

/** The first release of Loops that has the configuration endpoint. */
export const FIRST_WITH_CONFIG = '1.0.0-beta.6';

/** The version of a Loops server that is too old to have a configuration endpoint; null for any other server. */
export function versionBeforeConfig(evidence: Evidence): string | null {
  if (documentOf(evidence.answers.config).kind === 'object') return null;
  if (nodeInfoNameOf(evidence)?.isExact !== true) return null;
  const version = property(asObject(property(nodeInfoOf(evidence), 'software')), 'version');
  return typeof version === 'string' && isOlder(version, FIRST_WITH_CONFIG) === true ? version : null;
}
