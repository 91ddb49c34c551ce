import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { ReferenceData } from '../data/open-data.ts';
import type { ReferenceState } from '../state.ts';

const generate = promisify(generateKeyPair);
const publicKeyFact = 'publicKey';

/**
 * The public key of a server's actors, PEM: RSA with 2048 bits, made when it is first asked for, and kept. Its private half is thrown
 * away, as nothing is ever signed with it.
 */
export async function publicKeyOf(data: ReferenceData): Promise<string> {
  const kept = data.fact(publicKeyFact);
  if (kept !== undefined) return kept;
  const { publicKey } = await generate('rsa', { modulusLength: 2048 });
  const made = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  // Another request, or another process, may have been faster: the first key is the one that was told.
  return data.transaction(() => {
    const first = data.fact(publicKeyFact);
    if (first === undefined) data.setFact(publicKeyFact, made);
    return first ?? made;
  });
}

/** The address of the instance actor of a server at `baseUrl`. */
export function instanceActorUrl(baseUrl: string): string {
  return `${baseUrl}/ap/actor`;
}

/** The address of the actor of the account with this id. */
export function accountActorUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/ap/users/${encodeURIComponent(id)}`;
}

/** A live server hides NodeInfo, WebFinger and its actors while federation is off. */
export function federationIsShown(state: ReferenceState): boolean {
  return state.profile === 'spec' || state.config.federation;
}

/** The host that accounts of a server at `url` are named by, with its port when that is not the usual one; null for what is no URL. */
export function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}
