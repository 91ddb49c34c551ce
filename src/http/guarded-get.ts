import type { AddressGuard } from './address-guard.ts';
import type { Resolver } from './resolver.ts';
import type { OpenVisitClient } from './visit-client.ts';

/** A GET of JSON outside visits, with the same guards. */
export type GuardedGet = (
  url: URL,
  signal: AbortSignal,
) => Promise<{ ok: true; body: Uint8Array } | { ok: false; why: string }>;

export function createGuardedGet(
  openClient: OpenVisitClient,
  { resolver, guard }: { resolver: Resolver; guard: AddressGuard },
): GuardedGet {
  return async (url, signal) => {
    const resolution = await resolver.resolve(url.hostname);
    if (!resolution.ok) return { ok: false, why: resolution.failure };
    const { addresses } = resolution;
    if (addresses.some(({ address }) => guard(address) !== null)) return { ok: false, why: 'forbidden-address' };
    const client = openClient(url.hostname, addresses);
    const onAbort = () => client.close();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await client.get(url, { accept: 'application/json' });
      if (result.kind === 'failure') return { ok: false, why: result.failure };
      if (result.status !== 200) return { ok: false, why: `status ${result.status}` };
      return { ok: true, body: result.body };
    } finally {
      signal.removeEventListener('abort', onAbort);
      client.close();
    }
  };
}
