import type { CookieSerializeOptions } from '@fastify/cookie';

/** The cookie of the consent pages: a random value for every visitor, the key of the session once signed in. */
export interface SessionCookie {
  readonly name: string;
  readonly options: CookieSerializeOptions;
}

/**
 * The cookie of a server at `url`. Cookies do not tell ports apart, so that the name does: many servers run on one machine. Over
 * TLS the prefix `__Host-` keeps other hosts of the domain from setting it, and asks for the path `/`.
 */
export function sessionCookie(url: string): SessionCookie {
  const { protocol, port } = new URL(url);
  const isSecure = protocol === 'https:';
  const name = `loops_session${port === '' ? '' : `_${port}`}`;
  return {
    name: isSecure ? `__Host-${name}` : name,
    options: { httpOnly: true, sameSite: 'lax', secure: isSecure, path: isSecure ? '/' : '/oauth' },
  };
}
