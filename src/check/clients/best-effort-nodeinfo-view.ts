import { asObject, property } from '../../identify/field-reader.ts';
import { cleanIdentifier, cleanText, LENGTHS } from '../../model/text/clean-text.ts';
import { findJsonFault } from '../../model/text/json-fault.ts';
import { answerWords } from '../answers.ts';
import { isNearMiss } from '../documents/document.ts';
import type { CheckExchange, Evidence } from '../evidence.ts';
import type { ClientView } from '../report.ts';
import { showValue } from '../rule.ts';

/** The documents in which this client looks for a software name, in order. */
const DOCUMENTS = [
  ['nodeinfo', 'the NodeInfo 2.0 document'],
  ['nodeinfo-latest', 'the NodeInfo document of another version'],
  // Some software serves the NodeInfo document in place of discovery.
  ['discovery', 'a document at the well-known path itself'],
] as const;

/**
 * What a lenient NodeInfo client sees: it accepts any version, text before or after the JSON, any
 * content type, and names in upper case. It does not guess URLs.
 */
export function bestEffortNodeInfoView({ answers, softwareId, visit }: Evidence): ClientView {
  for (const [name, label] of DOCUMENTS) {
    // If the check got no document, that of the visit is read.
    const document = readLeniently(
      bodyOf(answers[name]) ?? (name === 'nodeinfo-latest' ? undefined : visit.documents[name]),
    );
    const software = property(asObject(document), 'software');
    const softwareName = typeof software === 'string' ? software : property(asObject(software), 'name');
    if (typeof softwareName !== 'string' || softwareName.trim() === '') continue;
    const version = property(asObject(software), 'version');
    const isLoops = softwareName === softwareId || isNearMiss(softwareName, softwareId);
    const acceptance = isLoops && softwareName !== softwareId ? `, which it accepts as ${showValue(softwareId)}` : '';
    return {
      client: 'nodeinfo-best-effort',
      sees: isLoops ? 'service' : 'other',
      software: cleanText(softwareName, LENGTHS.software),
      version:
        typeof version === 'string' || typeof version === 'number'
          ? cleanIdentifier(String(version), LENGTHS.version)
          : null,
      why: `It reads ${showValue(softwareName)} in ${label}${acceptance}.`,
    };
  }
  const why =
    bodyOf(answers.discovery) === undefined
      ? whyNoDocument(answers.discovery)
      : 'No document linked from discovery names its software';
  return { client: 'nodeinfo-best-effort', sees: 'nothing', software: null, version: null, why: `${why}.` };
}

function whyNoDocument(discovery: CheckExchange | null): string {
  return discovery === null ? 'Discovery could not be requested' : `Discovery gives ${answerWords(discovery)}`;
}

function bodyOf(exchange: CheckExchange | null): Uint8Array | undefined {
  if (exchange === null || exchange.failure !== null || exchange.status === null) return undefined;
  return exchange.status >= 200 && exchange.status < 300 ? exchange.body : undefined;
}

/** The first JSON object of a body, with any text around it; undefined when there is none. */
function readLeniently(body: Uint8Array | undefined): unknown {
  if (body === undefined) return undefined;
  const text = new TextDecoder().decode(body);
  const start = text.indexOf('{');
  if (start === -1) return undefined;
  const json = text.slice(start);
  const fault = findJsonFault(json);
  if (fault === null) return JSON.parse(json) as unknown;
  return fault.kind === 'after-end' ? (JSON.parse(json.slice(0, fault.offset)) as unknown) : undefined;
}
