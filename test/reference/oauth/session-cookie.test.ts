import { expect, it } from 'vitest';
import { sessionCookie } from '../../../src/reference/endpoints/consent-session.ts';
import { createReferenceServer } from '../../../src/reference/server.ts';
import { authorizeQuery, register } from '../consent-visitor.ts';

it('the session cookie has the port in its name, belongs to the path /oauth, and is HttpOnly and SameSite', () => {
  expect(sessionCookie('http://127.0.0.1:8089')).toEqual({
    name: 'loops_session_8089',
    options: { httpOnly: true, sameSite: 'lax', secure: false, path: '/oauth' },
  });
});

it('the session cookie of a server with TLS is Secure and bound to the host', () => {
  expect(sessionCookie('https://loops.example')).toEqual({
    name: '__Host-loops_session',
    options: { httpOnly: true, sameSite: 'lax', secure: true, path: '/' },
  });
});

it('the Set-Cookie header of a consent page has the attributes of the session cookie', async () => {
  await using server = await createReferenceServer();
  const query = authorizeQuery(await register(server));
  server.state.url = 'https://loops.example';
  const { headers } = await server.app.inject({ url: `/oauth/authorize?${query}` });
  const line = headers['set-cookie'];
  expect(line).toMatch(/^__Host-loops_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});
