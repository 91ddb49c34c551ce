import { domainToUnicode } from 'node:url';
import { proseLine } from './blocks.ts';

/** A domain as it is asked for, and beside it as people write it, where that is another: `xn--mnchen-3ya.de (münchen.de)`. */
export function domainWords(domain: string): string {
  const shown = proseLine(domain, 300);
  const [host = '', ...port] = domain.split(':');
  const written = domainToUnicode(host);
  if (written === '' || written === host) return shown;
  return `${shown} (${proseLine([written, ...port].join(':'), 300)})`;
}
