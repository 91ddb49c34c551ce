import { type Domain, isLocal } from '../model/domain/domain.ts';

/** The server under test. */
export interface Target {
  /** Without a slash at the end. */
  base: string;
  /** Whether it is on this machine. */
  isLocal: boolean;
}

/** Parses a base URL, `https://loops.example` or `http://127.0.0.1:8089/path`; `https` when the scheme is missing. Returns the problem if the text is not such a URL. */
export function parseTarget(text: string): Target | { problem: string } {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `https://${text}`);
  if (url === null || url.hostname === '') return { problem: `${text} is not the URL of a server` };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: `${text} is not an http or https URL` };
  if (url.username !== '' || url.password !== '')
    return { problem: 'leave the user name and the password out of the URL' };
  if (url.search !== '' || url.hash !== '')
    return { problem: `give the base URL without a query: ${url.origin}${url.pathname}` };
  return { base: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, isLocal: isLocal(url.host as Domain) };
}
