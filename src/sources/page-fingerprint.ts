import { createHash } from 'node:crypto';

/** What a page held, in a few bytes: a server that takes no notice of the page it is asked for gives the same for ever. */
export function createPageFingerprint() {
  const hash = createHash('sha256');
  return {
    add: (host: unknown) => void hash.update(typeof host === 'string' ? `${host.slice(0, 300)}\n` : '\0'),
    digest: () => hash.digest('base64'),
  };
}
