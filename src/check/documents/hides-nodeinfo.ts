import { property } from '../../identify/json.ts';
import type { Evidence } from '../evidence.ts';
import { documentOf } from './document-of.ts';

/** Whether NodeInfo is missing because federation is off: Loops answers 404 there then, and nothing is wrong with NodeInfo. */
export function hidesNodeInfo({ answers }: Evidence): boolean {
  const config = documentOf(answers.config);
  const discovery = documentOf(answers.discovery);
  return (
    config.kind === 'object' &&
    property(config.document, 'federation') === false &&
    discovery.kind === 'status' &&
    discovery.status === 404
  );
}
