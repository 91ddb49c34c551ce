import type { HostAddress } from '../../http/resolver.ts';
import { lookAtTls, speaksOldTls, type TlsLookOptions } from '../../http/tls-look.ts';
import type { Handshake, TlsEvidence } from '../evidence.ts';

/** Shakes hands with the first address of each family, IPv4 first, and once more for old protocols; never rejects. */
export async function gatherTls(
  addresses: readonly HostAddress[],
  options: Omit<TlsLookOptions, 'address'>,
): Promise<TlsEvidence | null> {
  const firsts = ([4, 6] as const).flatMap((family) => addresses.find((each) => each.family === family) ?? []);
  if (firsts.length === 0) return null;
  const handshakes = await Promise.all(
    firsts.map(async (address): Promise<Handshake> => ({ ...address, ...(await lookAtTls({ ...options, address })) })),
  );
  const answering = firsts[handshakes.findIndex(hasAnswered)];
  return {
    handshakes,
    speaksOldTls: answering === undefined ? null : await speaksOldTls({ ...options, address: answering }),
  };
}

/** Whether there is a server that speaks TLS, in whatever version, or hangs up on ours. */
function hasAnswered({ protocol, failure }: Handshake): boolean {
  return protocol !== null || failure === 'tls-failed' || failure === 'connection-reset';
}
