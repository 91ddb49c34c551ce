import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Has `fetch` and every other TLS client of this process trust one more authority, until disposed of. */
export function trustAuthority(caPem: string): Disposable {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, caPem]);
  return { [Symbol.dispose]: () => setDefaultCACertificates(before) };
}
