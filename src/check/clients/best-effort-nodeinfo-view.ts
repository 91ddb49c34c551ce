import { asObject, property } from '../../identify/field-reader.ts';
import { cleanIdentifier, cleanText, LENGTHS } from '../../model/text/clean-text.ts';
import { jsonFault } from '../../model/text/json-fault.ts';
import { answerWords } from '../answers.ts';
import { isNearMiss } from '../documents/document.ts';
import type { Evidence, Exchange } from '../evidence.ts';
import type { ClientView } from '../report.ts';
import { showValue } from '../rule.ts';

/** Where it looks for a document that names a software, in this order, and what it calls the place. */
const PLACES = [
  ['nodeinfo', 'the NodeInfo 2.0 document'],
  ['nodeinfo-latest', 'the NodeInfo document of another version'],
  // Some software serves the document where its address belongs.
  ['discovery', 'a document at the well-known path itself'],
] as const;

/**
 * How a client sees the server that takes from NodeInfo what it can: any version, a body with something before or after the JSON, any
 * content type, a name in capitals. It does not guess addresses. Pure.
 */
export function bestEffortNodeInfoView({ answers, softwareId, visit }: Evidence): ClientView {
  for (const [name, place] of PLACES) {
    const document = readLeniently(
      bodyOf(answers[name]) ?? (name === 'nodeinfo-latest' ? undefined : visit.documents[name]),
    );
    const software = property(asObject(document), 'software');
    const given = typeof software === 'string' ? software : property(asObject(software), 'name');
    if (typeof given !== 'string' || given.trim() === '') continue;
    const version = property(asObject(software), 'version');
    const isService = given === softwareId || isNearMiss(given, softwareId);
    const notExact = isService && given !== softwareId ? `, which it takes for ${showValue(softwareId)}` : '';
    return {
      client: 'nodeinfo-best-effort',
      sees: isService ? 'service' : 'other',
      software: cleanText(given, LENGTHS.software),
      version:
        typeof version === 'string' || typeof version === 'number'
          ? cleanIdentifier(String(version), LENGTHS.version)
          : null,
      why: `It reads ${showValue(given)} in ${place}${notExact}.`,
    };
  }
  const asked =
    bodyOf(answers.discovery) === undefined
      ? whyNoDocument(answers.discovery)
      : 'No document that discovery leads to names a software';
  return { client: 'nodeinfo-best-effort', sees: 'nothing', software: null, version: null, why: `${asked}.` };
}

function whyNoDocument(discovery: Exchange | null): string {
  return discovery === null ? 'It could not ask for discovery' : `Discovery gives ${answerWords(discovery)}`;
}

function bodyOf(exchange: Exchange | null): Uint8Array | undefined {
  if (exchange === null || exchange.failure !== null || exchange.status === null) return undefined;
  return exchange.status >= 200 && exchange.status < 300 ? exchange.body : undefined;
}

/** The first JSON object of a body, whatever stands before and after it; undefined when there is none. Pure, and never throws. */
function readLeniently(body: Uint8Array | undefined): unknown {
  if (body === undefined) return undefined;
  const text = new TextDecoder().decode(body);
  const start = text.indexOf('{');
  if (start === -1) return undefined;
  const whole = text.slice(start);
  const fault = jsonFault(whole);
  if (fault === null) return JSON.parse(whole) as unknown;
  return fault.kind === 'after-end' ? (JSON.parse(whole.slice(0, fault.offset)) as unknown) : undefined;
}
