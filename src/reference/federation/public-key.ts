import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { ReferenceData } from '../data/open-data.ts';

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
