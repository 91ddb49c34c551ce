import { type Domain, portOf } from '../domain/domain.ts';

/** Whether a URL is on port 80, 443 or that of the domain: no other leads from a visit to a service that is none of the web's. */
export function isUsualPort({ port }: URL, domain: Domain): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) === portOf(domain);
}
