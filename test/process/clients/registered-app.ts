import type { ReferenceServer } from '../../../src/reference/server.ts';

/** The registered redirect URI. Because it is on loopback, `callback` may add any port (RFC 8252 section 7.3). */
export const registeredCallback = 'http://127.0.0.1/callback';
export const callback = 'http://127.0.0.1:51234/callback';

/** Registers an app for a client library that cannot register one. */
export async function registerApp(server: ReferenceServer, name: string): Promise<{ id: string; secret: string }> {
  const body = JSON.stringify({ client_name: name, redirect_uris: [registeredCallback], scopes: 'read write' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}/api/v1/apps`, { method: 'POST', headers, body });
  const { client_id, client_secret } = (await answer.json()) as { client_id: string; client_secret: string };
  return { id: client_id, secret: client_secret };
}

/** The URL to which the server redirects the browser after an authorization; needs `autoApprove`. */
export async function redirectOf(url: string | URL): Promise<URL> {
  const answer = await fetch(url, { redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`No redirect: ${answer.status} ${await answer.text()}`);
  return new URL(location);
}
