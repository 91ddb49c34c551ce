import { type Answer, json } from './answer.ts';
import type { Site } from './kind.ts';

const notFound = json({ error: 'Not Found' }, 404);

/** What a site answers to a request before, or instead of, the endpoints of the interface; undefined: those decide. */
export function answerOf(site: Site, target: string): Answer | undefined {
  if (site.pages !== undefined && Object.hasOwn(site.pages, target)) return site.pages[target];
  return site.state === undefined ? (site.rest ?? notFound) : undefined;
}
