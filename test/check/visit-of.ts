import type { CheckExchange, RequestName } from '../../src/check/evidence.ts';
import type { Answer } from '../../src/identify/ask.ts';
import { type Decision, unidentified, unreachable } from '../../src/identify/decision.ts';
import {
  interpretConfig,
  interpretDiscovery,
  interpretNodeInfo,
  type NodeInfoResult,
} from '../../src/identify/documents.ts';
import { concludeByConfig, concludeByNodeInfo, needsNodeInfo } from '../../src/identify/resolve-verdict.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import type { Probe, Step } from '../../src/model/step.ts';
import type { Visit } from '../../src/model/visit.ts';

export interface VisitInput {
  domain: Domain;
  at: number;
  softwareId: string;
  answers: Readonly<Record<RequestName, CheckExchange | null>>;
}

/** Derives the visit from the documents in the answers of a check; ignores redirects and page types. */
export function visitOf({ domain, at, softwareId, answers }: VisitInput): Visit {
  const answer = answerOf(answers.config);
  const context = { domain, at, softwareId, allowSuffixes: ['example'], answer };
  const config = answer.kind === 'document' ? interpretConfig(answer.body) : null;
  const { decision } =
    config === null
      ? concludeByNodeInfo(nodeInfoOf(domain, answers), context)
      : concludeByConfig(config, needsNodeInfo(config, softwareId) ? nodeInfoOf(domain, answers) : null, context);
  const steps = (['robots', 'config', 'discovery', 'nodeinfo'] as const).flatMap((name) => {
    const exchange = answers[name];
    return exchange === null ? [] : [stepOf(name, exchange)];
  });
  const documents: Visit['documents'] = {};
  for (const name of ['config', 'discovery', 'nodeinfo'] as const) {
    const exchange = answers[name];
    if (exchange?.status === 200) documents[name] = exchange.body;
  }
  return {
    domain,
    at,
    durationMs: 400,
    ...decision,
    steps,
    documents,
    host: { ...UNKNOWN_HOST, ipv4: true, ipv6: true, tlsExpires: null, noindex: false, canonicalHost: null },
    robots: answers.robots === null ? null : { readAt: at, body: answers.robots.body },
  };
}

function answerOf(exchange: CheckExchange | null): Answer {
  if (exchange === null || exchange.status === null)
    return { kind: 'failure', failure: exchange?.failure ?? 'connection-reset' };
  if (exchange.failure !== null) return { kind: 'failure', failure: exchange.failure };
  if (exchange.status >= 200 && exchange.status < 300) return { kind: 'document', body: exchange.body };
  return { kind: 'status', status: exchange.status, retryAfterMs: null };
}

function nodeInfoOf(domain: Domain, answers: VisitInput['answers']): NodeInfoResult | Decision {
  const discovery = answerOf(answers.discovery);
  if (discovery.kind === 'failure') return unreachable('connection-reset');
  if (discovery.kind !== 'document') return unidentified('no-nodeinfo');
  const advertised = interpretDiscovery(discovery.body, domain);
  if ('verdict' in advertised) return advertised;
  const document = answerOf(answers.nodeinfo);
  if (document.kind !== 'document') return unidentified('href-dead');
  return interpretNodeInfo(document.body, { domain, url: advertised.url });
}

function stepOf(probe: Probe, { url, status, ms, body, failure }: CheckExchange): Step {
  return { probe, url, status, ms, bytes: body.length, failure };
}
