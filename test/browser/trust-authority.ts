import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Makes `fetch` and all other TLS clients of this process also trust this certificate authority until disposed. */
export function trustAuthority(caPem: string): Disposable {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, caPem]);
  return { [Symbol.dispose]: () => setDefaultCACertificates(trusted) };
}
