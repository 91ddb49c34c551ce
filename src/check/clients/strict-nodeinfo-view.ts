import { parseHref, parseNodeInfo } from '../../identify/documents.ts';
import { property } from '../../identify/field-reader.ts';
import { REASONS } from '../../model/reason.ts';
import { contentTypeOf } from '../answers.ts';
import { type DocumentReading, documentOf, linksOf } from '../documents/document.ts';
import { describeViolation, nodeInfoViolations } from '../documents/nodeinfo-schema.ts';
import type { Evidence } from '../evidence.ts';
import type { ClientView } from '../report.ts';
import { showText, showValue } from '../rule.ts';

const REL = 'http://nodeinfo.diaspora.software/ns/schema/2.0';

/** What a strict client sees: it accepts only documents that follow the protocol and the schema of NodeInfo 2.0 exactly. */
export function strictNodeInfoView(evidence: Evidence): ClientView {
  const refused = whyRefused(evidence);
  const document = documentOf(evidence.answers.nodeinfo);
  const nodeInfo = document.kind === 'object' ? parseNodeInfo(document.document) : null;
  if (refused !== null || nodeInfo === null)
    return {
      client: 'nodeinfo-strict',
      sees: 'nothing',
      software: null,
      version: null,
      why: `${refused ?? 'The NodeInfo document names no software'}.`,
    };
  const { softwareId, software, version } = nodeInfo;
  return {
    client: 'nodeinfo-strict',
    sees: softwareId === evidence.softwareId ? 'service' : 'other',
    software,
    version,
    why: 'The NodeInfo document conforms to the schema of version 2.0.',
  };
}

/** The first reason to refuse the documents; null when there is none. */
function whyRefused({ answers }: Evidence): string | null {
  const discovery = documentOf(answers.discovery);
  if (discovery.kind !== 'object') return `Discovery ${resultWords(discovery)}`;
  if (answers.discovery !== null && !isJsonType(contentTypeOf(answers.discovery)))
    return `Discovery is sent as ${showText(contentTypeOf(answers.discovery) ?? 'no type')}`;
  const discoveryProblem = encodingProblem(discovery);
  if (discoveryProblem !== null) return `Discovery ${discoveryProblem}`;
  if (!Array.isArray(property(discovery.document, 'links'))) return 'links of discovery is not a list';
  const entry = linksOf(discovery.document).find(({ rel }) => rel === REL);
  if (entry === undefined) return 'No link has exactly the rel of NodeInfo 2.0';
  const href = typeof entry.href === 'string' ? parseHref(entry.href) : null;
  if (href === null || href.url.protocol !== 'https:')
    return `href is ${showValue(entry.href)}, which is not an https URL`;

  const nodeInfo = documentOf(answers.nodeinfo);
  if (nodeInfo.kind !== 'object') return `The NodeInfo document ${resultWords(nodeInfo)}`;
  if (answers.nodeinfo !== null && !isJsonType(contentTypeOf(answers.nodeinfo)))
    return `The NodeInfo document is sent as ${showText(contentTypeOf(answers.nodeinfo) ?? 'no type')}`;
  const nodeInfoProblem = encodingProblem(nodeInfo);
  if (nodeInfoProblem !== null) return `The NodeInfo document ${nodeInfoProblem}`;
  const [first, ...more] = nodeInfoViolations(nodeInfo.document);
  if (first === undefined) return null;
  return `It violates the schema: ${describeViolation(first)}${more.length === 0 ? '' : `, and ${more.length} more`}`;
}

function isJsonType(type: string | null): boolean {
  return type === 'application/json' || type?.endsWith('+json') === true;
}

function encodingProblem({ hasByteOrderMark, isUtf8 }: Extract<DocumentReading, { kind: 'object' }>): string | null {
  if (hasByteOrderMark) return 'begins with a byte order mark';
  return isUtf8 ? null : 'is not UTF-8';
}

function resultWords(reading: Exclude<DocumentReading, { kind: 'object' }>): string {
  switch (reading.kind) {
    case 'not-requested':
      return 'was not requested, because there was no connection or no usable URL';
    case 'failure':
      return `gave no answer: ${REASONS[reading.failure].means}`;
    case 'challenge':
      return 'is replaced by a challenge page';
    case 'redirect':
      return `redirects to ${showText(reading.location)}`;
    case 'status':
      return `answers ${reading.status}`;
    case 'not-json':
      return reading.problem.text;
  }
}
