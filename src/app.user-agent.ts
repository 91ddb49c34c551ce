import type { Settings } from './settings.schema.ts';
import { VERSION } from './version.ts';

/** How the crawler names itself to those whose servers it visits. */
export function userAgentOf({ contact }: Pick<Settings, 'contact'>): string {
  return `Loopscout/${VERSION} (+${contact})`;
}
