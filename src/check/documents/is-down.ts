import type { Evidence } from '../evidence.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Whether nothing that a program answers was answered but with a server error: then that is what is wrong, and nothing else is. A
 * robots.txt that is there says nothing against it, as the web server sends that file itself.
 */
export function isDown({ answers }: Evidence): boolean {
  const asked = [answers.home, answers.config, answers.discovery].filter((each) => each !== null);
  return asked.length > 0 && asked.every(isBroken);
}

function isBroken({ status, failure }: Exchange): boolean {
  return failure !== null || status === null || status >= 500;
}
