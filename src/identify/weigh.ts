import type { Reason } from '../record/reason.ts';
import type { Answer } from './ask.ts';
import { alias, type Decision, declined, unidentified, unreachable } from './decision.ts';

/**
 * The decision when neither probe settled what the host is. Pure.
 *
 * @param nodeInfo what NodeInfo alone makes of the host.
 */
export function weigh(config: Answer, nodeInfo: Decision): Decision {
  if (nodeInfo.verdict === 'alias' || nodeInfo.reason === 'rate-limited') return nodeInfo;
  if (config.kind === 'redirected' && !NOT_MOVED.has(nodeInfo.reason)) return alias(config.to);
  if (config.kind === 'forbidden' && nodeInfo.verdict === 'unidentified') return declined('robots-forbidden');
  if (config.kind === 'status' && config.status === 410 && nodeInfo.verdict !== 'declined') return declined('gone');
  if (nodeInfo.verdict !== 'unreachable') return nodeInfo;

  // NodeInfo gave no usable answer. If config did, the host is up; if both failed in the same way, that is the reason.
  if (config.kind === 'forbidden') return nodeInfo;
  if (config.kind === 'failure' && config.failure !== 'body-too-large') {
    return config.failure === 'forbidden-address' ? nodeInfo : unreachable(config.failure, nodeInfo.retryAfterMs);
  }
  if (config.kind === 'status' && config.status >= 500) return nodeInfo;
  return unidentified('nodeinfo-unavailable', nodeInfo.retryAfterMs);
}

/**
 * What NodeInfo came to where the host itself answered discovery with a JSON object, however little that was worth, and
 * where it was not asked: neither means that the host has moved.
 */
const NOT_MOVED: ReadonlySet<Reason> = new Set<Reason>([
  'no-nodeinfo-2.0-link',
  'href-invalid',
  'href-refused',
  'href-dead',
  'nodeinfo-not-json',
  'nodeinfo-no-software',
  'forbidden-address',
  'robots-forbidden',
]);
