import { classifyPage } from '../identify/page-class.ts';
import type { Exchange } from './exchange.ts';

/** Whose challenge page came instead of the answer: of a proxy that wants to see a browser first. Null when it is none. */
export function challengeOf(exchange: Exchange | null): { by: string | null } | null {
  if (exchange === null || exchange.status === null) return null;
  const { status, headers, body } = exchange;
  const page = classifyPage({ status, headers, body });
  return page?.class === 'challenge-page' ? { by: page.by } : null;
}
