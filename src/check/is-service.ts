import type { Evidence } from './evidence.ts';

/** Whether the server is one of the service: of another software, nobody expects its interface. */
export function isService({ visit }: Evidence): boolean {
  return visit.verdict === 'loops';
}
