import { isIPv6 } from 'node:net';
import { type Refused, refused } from './refused.ts';

/** A host as written, and the port it names, null when it names none or the default of its scheme. */
export type Authority = { readonly ok: true; readonly host: string; readonly port: number | null };

const plainName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\.?$/i;
const separators = /[\s,;|]+/;
const webScheme = /^https?:[/\\]*/i;
const otherScheme = /^([a-z][a-z0-9+-]*):(?!\d+(?:[/?#\\]|$))|^([a-z][a-z0-9+.-]*):\/\//i;

/**
 * Finds the host and port in what people write for a server: a name, a URL, `@user@host`, `@host`, `user@host` or
 * `acct:user@host` (RFC 7565). The text is trimmed already. As browsers do (WHATWG URL), a backslash ends the host.
 */
export function parseAuthority(text: string): Authority | Refused {
  // What most lists are made of: every rule below needs a character that is not in it.
  if (plainName.test(text)) return { ok: true, host: text, port: null };
  if (isIPv6(text)) return refused('ip-literal', 'an IPv6 address');
  const web = webScheme.exec(text)?.[0];
  const account = web === undefined && /^acct:/i.test(text);
  const unsupported = web === undefined && !account ? otherScheme.exec(text) : null;
  if (unsupported)
    return refused('unsupported-scheme', `the scheme "${(unsupported[1] ?? unsupported[2] ?? '').slice(0, 20)}"`);

  const rest = text.slice(web?.length ?? (account ? 'acct:'.length : 0)).replace(/^\/\//, '');
  const end = rest.search(/[/?#\\]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  if (namesTwoHosts(text, authority, rest)) return refused('two-hosts', 'more than one host; write one a line');

  const handle = authority.replace(/^@/, '');
  const at = handle.lastIndexOf('@');
  if (web === undefined && at !== handle.indexOf('@')) return refused('two-hosts', 'more than one "@host"');
  return splitPort(handle.slice(at + 1), web?.toLowerCase().startsWith('http:') ? 80 : 443);
}

/** White space cannot be in a URL; other separators can, in its path, so they count only before it or before a scheme. */
function namesTwoHosts(text: string, authority: string, rest: string): boolean {
  const manyNames = (written: string) =>
    written.split(separators).filter((piece) => /[^.]\.[^.]/.test(piece)).length > 1;
  return (
    manyNames(authority) ||
    (/\s/.test(text) && manyNames(text)) ||
    /[,;|](?:https?:)?\/\//i.test(rest) ||
    (/https?:$/i.test(authority) && rest.startsWith('//', authority.length))
  );
}

function splitPort(written: string, defaultPort: number): Authority | Refused {
  if (written.startsWith('[') || isIPv6(written)) return refused('ip-literal', 'an IPv6 address');
  const colon = written.indexOf(':');
  if (colon === -1) return { ok: true, host: written, port: null };
  const host = written.slice(0, colon);
  const digits = written.slice(colon + 1);
  if (digits === '') return { ok: true, host, port: null };
  const port = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  if (port < 1 || port > 65535) return refused('bad-port', `the port "${digits.slice(0, 20)}"`);
  return { ok: true, host, port: port === defaultPort || port === 443 ? null : port };
}
