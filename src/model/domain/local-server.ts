import { type Domain, isLocal } from './domain.ts';

/**
 * Parses the URL of a local server: `http://127.0.0.1:8089`, `http://localhost:8089`, `http://[::1]:8089`. The path is ignored. Null for
 * anything else, including other hosts, https and a user name.
 */
export function parseLocalServer(text: string): Domain | null {
  const url = URL.parse(text.trim());
  if (url?.protocol !== 'http:' || url.username !== '' || url.password !== '') return null;
  const domain = url.host as Domain;
  return isLocal(domain) ? domain : null;
}

/** The addresses of a local server. `localhost` always means this machine (RFC 6761 section 6.3), whatever the DNS says. */
export function localAddresses(host: string): { address: string; family: 4 | 6 }[] {
  const [ipv4, ipv6] = [
    { address: '127.0.0.1', family: 4 as const },
    { address: '::1', family: 6 as const },
  ];
  if (host === 'localhost') return [ipv4, ipv6];
  return host === '[::1]' ? [ipv6] : [{ ...ipv4, address: host }];
}
