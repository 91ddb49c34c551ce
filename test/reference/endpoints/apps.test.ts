import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  callback,
  createConsentVisitor,
  outOfBand,
  postForm,
  postJson,
  register,
} from '../consent-visitor.ts';

let server: ReferenceServer;
let url: string;
beforeAll(async () => {
  server = await createReferenceServer();
  url = `${server.url}/api/v1/apps`;
});
afterAll(async () => server.close());

describe('POST /api/v1/apps', () => {
  it('sends id, name, website, redirect_uri, client_id and client_secret, all strings and nothing else', async () => {
    const body = {
      client_name: 'My Client',
      redirect_uris: callback,
      scopes: 'read write',
      website: 'https://client.example',
    };
    const { status, json, headers } = await postJson(url, body);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'My Client',
      website: 'https://client.example',
      redirect_uri: callback,
      client_id: expect.stringMatching(/^[\w-]{43}$/),
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('accepts form data as well as JSON, and a content type with a charset', async () => {
    const body = { client_name: 'A & B', redirect_uris: callback };
    expect((await postForm(url, body)).json).toMatchObject({ name: 'A & B', redirect_uri: callback });
    const type = { 'content-type': 'application/json; charset=utf-8' };
    expect((await postJson(url, body, type)).json).toMatchObject({ name: 'A & B', redirect_uri: callback });
  });

  it('accepts multipart forms, in which a repeated field is a list', async () => {
    const body = new FormData();
    body.append('client_name', 'A & B');
    for (const uri of [callback, outOfBand]) body.append('redirect_uris[]', uri);
    const response = await fetch(url, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ name: 'A & B', redirect_uri: `${callback}\n${outOfBand}` });
  });

  it('needs client_name and redirect_uris, and names both in the errors', async () => {
    for (const body of [{}, { client_name: '', redirect_uris: '' }, { client_name: ' ', redirect_uris: [] }, []]) {
      const { status, json } = await postJson(url, body);
      expect([body, status, json]).toEqual([
        body,
        422,
        {
          message: 'The client name field is required. (and 1 more error)',
          errors: {
            client_name: ['The client name field is required.'],
            redirect_uris: ['The redirect uris field is required.'],
          },
        },
      ]);
    }
  });

  it.each<[form: string, redirectUris: unknown]>([
    ['a string', callback],
    ['a list', [callback, outOfBand]],
    ['a string with line breaks', `${callback}\r\n${outOfBand}\n\n`],
    ['a list of strings with line breaks', [`${callback}\n${outOfBand}`]],
  ])('accepts redirect_uris as %s', async (_form, redirectUris) => {
    const app = await register(server, { redirect_uris: redirectUris });
    const expected = redirectUris === callback ? callback : `${callback}\n${outOfBand}`;
    expect(app.redirect_uri).toBe(expected);
    for (const uri of expected.split('\n')) {
      const page = await createConsentVisitor(server).open(authorizeQuery(app, { redirect_uri: uri }));
      expect([uri, page.status]).toEqual([uri, 200]);
    }
  });

  it('answers with exactly five keys in the profile live, and ignores scopes and website there', async () => {
    await using live = await createReferenceServer({ profile: 'live' });
    const app = await register(live, { redirect_uris: [callback, outOfBand], scopes: 'all', website: 5 });
    expect(app).toEqual({
      client_id: expect.any(String),
      client_name: 'Test Client',
      client_secret: expect.any(String),
      redirect_uris: [callback, outOfBand],
      vapid_key: null,
    });
  });

  it('refuses redirect_uris that are a string in the profile live', async () => {
    await using live = await createReferenceServer({ profile: 'live' });
    const body = { client_name: 'A', redirect_uris: callback };
    expect(await postJson(`${live.url}/api/v1/apps`, body)).toMatchObject({
      status: 422,
      json: { errors: { redirect_uris: ['The redirect uris field must be an array.'] } },
    });
  });

  it('accepts redirect_uris that a form repeats, with or without brackets and numbers', async () => {
    for (const [firstName, secondName] of [
      ['redirect_uris', 'redirect_uris'],
      ['redirect_uris[]', 'redirect_uris[]'],
      ['redirect_uris[0]', 'redirect_uris[1]'],
    ] as const) {
      const fields = [
        ['client_name', 'A'],
        [firstName, callback],
        [secondName, outOfBand],
      ];
      expect((await postForm(url, fields)).json.redirect_uri).toBe(`${callback}\n${outOfBand}`);
    }
  });

  it('accepts a client_name in any script, of symbols or emoji only, and with some invisible characters', async () => {
    for (const name of [
      'Ü',
      'عربي',
      '日本語',
      '한',
      'हिन्दी',
      '7',
      '★',
      '!',
      '👩🏽\u200d🎨',
      '\u200bA',
      'می\u200cخواهم',
    ]) {
      expect((await register(server, { client_name: name })).name).toBe(name);
    }
  });

  it('gives an app the scope read by default', async () => {
    const app = await register(server);
    expect(server.state.data.apps.find(app.client_id)?.scopes).toEqual(['read']);
    const both = await register(server, { scopes: 'write read' });
    expect(server.state.data.apps.find(both.client_id)?.scopes).toEqual(['write', 'read']);
  });

  it('sends an empty website when none is given', async () => {
    for (const website of [undefined, null, '']) expect((await register(server, { website })).website).toBe('');
  });

  it.each<[fault: string, changes: Record<string, unknown>, field: string]>([
    ['a client_name that is no string', { client_name: 7 }, 'client_name'],
    ['a client_name that is a list', { client_name: ['a', 'b'] }, 'client_name'],
    ['a client_name with control characters', { client_name: 'a\u0000b' }, 'client_name'],
    ['a client_name of invisible characters only', { client_name: '\u200b\u200d\ufeff\u2060' }, 'client_name'],
    [
      'a client_name of combining marks and blank characters only',
      { client_name: '\u3164\u115f\u2800\ufe0f\u{e0041} \u0301' },
      'client_name',
    ],
    ['a client_name of characters that only change the text direction', { client_name: '\u202e\u2066' }, 'client_name'],
    ['a client_name that is no Unicode', { client_name: '\ud800' }, 'client_name'],
    ['a client_name over 255 characters', { client_name: 'a'.repeat(256) }, 'client_name'],
    ['redirect_uris that are no strings', { redirect_uris: [1] }, 'redirect_uris'],
    ['redirect_uris that are an object', { redirect_uris: { a: callback } }, 'redirect_uris'],
    ['a bad redirect URI after a good one', { redirect_uris: [callback, 'javascript:1'] }, 'redirect_uris'],
    ['a redirect URI over 2,000 characters', { redirect_uris: `${callback}?${'a'.repeat(2_000)}` }, 'redirect_uris'],
    [
      'more than 20 redirect URIs',
      { redirect_uris: Array.from({ length: 21 }, (_, index) => callback + index) },
      'redirect_uris',
    ],
    ['an unknown scope', { scopes: 'read admin' }, 'scopes'],
    ['scopes with two spaces between', { scopes: 'read  write' }, 'scopes'],
    ['scopes that are no string', { scopes: ['read'] }, 'scopes'],
    ['a website that is no URL', { website: 'client.example' }, 'website'],
    ['a website that is a script', { website: 'javascript:alert(1)//https://a.example' }, 'website'],
    ['a website that is no string', { website: 1 }, 'website'],
    ['a website over 2,000 characters', { website: `https://a.example/${'a'.repeat(2_000)}` }, 'website'],
  ])('refuses %s with 422', async (_fault, changes, field) => {
    const { status, json } = await postJson(url, { client_name: 'A', redirect_uris: callback, ...changes });
    expect([status, Object.keys(json.errors ?? {})]).toEqual([422, [field]]);
    expect(json.message).toEqual(Object.values(json.errors as Record<string, string[]>)[0]?.[0]);
  });

  it('registers an app permanently: every later request knows it', async () => {
    const app = await register(server);
    const client = { client_id: app.client_id, client_secret: app.client_secret, grant_type: 'client_credentials' };
    for (let count = 0; count < 3; count += 1) {
      expect((await postJson(`${server.url}/oauth/token`, client)).status).toBe(200);
    }
  });
});
