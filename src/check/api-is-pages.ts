import { isHtml } from './documents/is-html.ts';
import type { Evidence } from './evidence.ts';

/** Whether addresses of the API that there are not are answered with the web app and 200: then what else is odd there has that cause. */
export function apiIsPages({ answers }: Evidence): boolean {
  const unknown = answers['unknown-api-route'];
  return unknown !== null && unknown.status === 200 && isHtml(unknown);
}
