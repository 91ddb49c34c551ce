import type { Evidence } from '../evidence.ts';
import type { Exchange } from '../exchange.ts';
import { circleOf } from './circle-of.ts';
import { documentOf } from './document-of.ts';

/** Statuses by which a whole site is closed. */
const CLOSED: ReadonlySet<number> = new Set([401, 403, 407, 410, 451]);

/** Whether NodeInfo discovery fails in the way in which config does: that is one cause, and the rule on config names it. */
export function failsAsConfig({ answers: { config, discovery } }: Evidence): boolean {
  if (config === null || discovery === null) return false;
  const way = wayOf(config);
  return way !== null && way === wayOf(discovery);
}

function wayOf(exchange: Exchange): string | null {
  const reading = documentOf(exchange);
  switch (reading.kind) {
    case 'failure':
      return reading.failure;
    case 'status':
      if (reading.status >= 500) return 'server-error';
      return CLOSED.has(reading.status) ? String(reading.status) : null;
    case 'not-json':
      return reading.isPage ? 'page' : reading.problem;
    case 'redirect':
      if (circleOf(exchange) !== null) return 'circle';
      return reading.to?.protocol === 'https:' ? null : `to ${reading.to?.protocol}`;
    default:
      return null;
  }
}
