import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ANY_CHARACTER } from '../../any-character.ts';

/** Valid values of the attacked server, which let random requests pass the first checks. */
export interface Target {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  code: string;
  token: string;
  videoId: string;
  username: string;
  password: string;
  cookie: string;
  /** The hidden token of the consent form. It is valid only for the query of {@link authorizationQuery}. */
  formToken: string;
}

/** The shortest valid authorization request. */
const authorizationQuery = ({ clientId, redirectUri }: Target) =>
  `${new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: redirectUri })}`;

export interface RandomRequest {
  method: string;
  /** Path and query of the request line. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

const methods = ['GET', 'POST', 'POST', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

const unusualText = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: ANY_CHARACTER, maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    '\r\nset-cookie: a=b',
    '\ud800',
    '%00',
    '%',
    '%FF',
    '../',
    '__proto__',
    'é',
    '👩🏽‍🎨',
    ' ',
    '\u202e',
  ),
  fc.integer({ min: 200, max: 9_000 }).map((length) => 'a'.repeat(length)),
);

/** Mostly one of `values`, sometimes one with a part replaced, sometimes unusual text. */
function mostlyOneOf(...values: readonly string[]): fc.Arbitrary<string> {
  const value = fc.constantFrom(...values);
  const corrupted = fc.tuple(value, fc.nat(60), fc.nat(3), unusualText);
  return fc.oneof(
    { weight: 12, arbitrary: value },
    {
      weight: 1,
      arbitrary: corrupted.map(
        ([text, at, length, inserted]) => text.slice(0, at) + inserted + text.slice(at + length),
      ),
    },
    { weight: 1, arbitrary: unusualText },
  );
}

/** Every parameter and field of the endpoints, with valid, nearly valid and invalid values. */
function randomFieldValues(target: Target): Record<string, fc.Arbitrary<string>> {
  const scopes = mostlyOneOf('read', 'read write', 'read write follow', 'admin', 'read  read', 'READ');
  return {
    response_type: mostlyOneOf('code', 'token'),
    client_id: mostlyOneOf(target.clientId),
    client_secret: mostlyOneOf(target.clientSecret),
    redirect_uri: mostlyOneOf(target.redirectUri, 'urn:ietf:wg:oauth:2.0:oob', 'https://evil.example/'),
    redirect_uris: mostlyOneOf(
      target.redirectUri,
      `${target.redirectUri}\nurn:ietf:wg:oauth:2.0:oob`,
      'javascript:1',
      'data:,a',
    ),
    'redirect_uris[]': mostlyOneOf(target.redirectUri),
    scope: scopes,
    scopes,
    state: unusualText,
    code: mostlyOneOf(target.code),
    code_challenge: mostlyOneOf(challenge),
    code_challenge_method: mostlyOneOf('S256', 'plain'),
    code_verifier: mostlyOneOf(verifier),
    grant_type: mostlyOneOf('authorization_code', 'client_credentials', 'refresh_token', 'password'),
    token: mostlyOneOf(target.token, target.formToken),
    action: mostlyOneOf('sign-in', 'approve', 'deny', 'return', 'sign-out'),
    token_type_hint: mostlyOneOf('access_token', 'refresh_token'),
    client_name: mostlyOneOf('Client', '<script>alert(1)</script>'),
    website: mostlyOneOf('https://client.example/', 'javascript:alert(1)'),
    username: mostlyOneOf(target.username),
    password: mostlyOneOf(target.password),
  };
}

const unusualValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, [], {}, [[]], [null], { toString: 1 }, { length: 1e9 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** The fields of a complete request to each endpoint. Fields chosen at random are rarely complete. */
const completeRequests: readonly (readonly string[])[] = [
  ['response_type', 'client_id', 'redirect_uri', 'scope', 'state'],
  ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'],
  ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code', 'scope'],
  ['grant_type', 'client_id', 'redirect_uri', 'code', 'code_verifier'],
  ['token', 'client_id', 'client_secret', 'token_type_hint'],
  ['client_name', 'redirect_uris', 'scopes', 'website'],
  ['action', 'token', 'username', 'password'],
  ['action', 'token'],
];

/** Names and values of parameters: mostly those of a complete request, and up to three others. */
function randomNamesAndValues(target: Target): fc.Arbitrary<[string, string][]> {
  const fieldValues = randomFieldValues(target);
  const names = Object.keys(fieldValues);
  const named = (name: string) => fc.tuple(fc.constant(name), fieldValues[name] ?? unusualText);
  const complete = fc.constantFrom(...completeRequests).chain((chosen) => fc.tuple(...chosen.map(named)));
  const known = fc.constantFrom(...names).chain(named);
  const extra = fc.array(fc.oneof(known, fc.tuple(unusualText, unusualText)), { maxLength: 3 });
  return fc
    .tuple(fc.oneof({ weight: 3, arbitrary: complete }, { weight: 1, arbitrary: fc.constant([]) }), extra)
    .map(([request, others]) => [...request, ...others] as [string, string][]);
}

const encodeForm = (list: readonly [string, string][]) =>
  list
    .map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');

function randomUrl(target: Target): fc.Arbitrary<string> {
  const path = mostlyOneOf(
    '/api/v1/config',
    '/api/v1/apps',
    '/api/v1/account/info/self',
    `/api/v1/video/${target.videoId}`,
    '/oauth/authorize',
    '/oauth/authorize',
    '/oauth/authorize/sign-in',
    '/oauth/token',
    '/oauth/token',
    '/oauth/revoke',
    '/.well-known/nodeinfo',
    '/.well-known/oauth-authorization-server',
    '/nodeinfo/2.0',
    '/nodeinfo/2.1',
    '/.well-known/webfinger?resource=acct:ada@127.0.0.1',
    '/ap/actor',
    '/ap/users/1',
    '/ap/inbox',
    '/robots.txt',
    '/openapi.json',
    '/',
  );
  const unusualEnding = fc.constantFrom('/', '//', '%', '%2e%2e%2f', '%00', '%FF', ';a=b', '/../', '#a', '.json', '*');
  const ending = fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: unusualEnding });
  const query = fc.oneof(
    fc.constant(''),
    fc.constant(`?${authorizationQuery(target)}`),
    randomNamesAndValues(target).map((list) => `?${encodeForm(list)}`),
    unusualText.map((text) => `?${text}`),
    fc.constantFrom(
      '?',
      '?=',
      '?&&&',
      '?a[]=1&a[b]=2',
      '?__proto__[a]=1',
      '?%',
      '?state=%FF%00%',
      '?client_id=a&client_id=b',
    ),
  );
  return fc.tuple(path, ending, query).map((parts) => parts.join(''));
}

function randomBody(target: Target): fc.Arbitrary<{ type: string; bytes: Buffer }> {
  const json = fc
    .tuple(randomNamesAndValues(target), fc.array(fc.tuple(fc.nat(6), unusualValue), { maxLength: 2 }))
    .map(([list, wrongValues]) => {
      const object: Record<string, unknown> = Object.fromEntries(list);
      for (const [index, value] of wrongValues) {
        const [name = 'extra'] = list[index] ?? [];
        object[name] = value;
      }
      return JSON.stringify(object);
    });
  const form = randomNamesAndValues(target).map(encodeForm);
  const broken = fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '"text"',
    '1',
    '{"a":1,"a":2}',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{"a":1}}}',
    '\ufeff{}',
    'NaN',
    '['.repeat(5_000),
    `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
    '{"a":"\\ud800"}',
    'a=%',
    'a=%FF&b',
    '&&&=&',
    `a=${'b'.repeat(70_000)}`,
    'x&'.repeat(5_000),
  );
  const types = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=utf-7',
    'APPLICATION/JSON',
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded;charset=UTF-8',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'text/plain',
    'application/ld+json',
    'application/octet-stream',
    '',
    ';',
    'json',
    'a/b/c',
  );
  const bytes = fc.oneof(
    broken.map((text) => Buffer.from(text)),
    json.map((text) => Buffer.from(text)),
    form.map((text) => Buffer.from(text)),
    json.map((text) => gzipSync(text)),
    fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
  );
  return fc.oneof(
    { weight: 4, arbitrary: json.map((text) => ({ type: 'application/json', bytes: Buffer.from(text) })) },
    {
      weight: 4,
      arbitrary: form.map((text) => ({ type: 'application/x-www-form-urlencoded', bytes: Buffer.from(text) })),
    },
    { weight: 3, arbitrary: fc.record({ type: types, bytes }) },
  );
}

/** Replaces characters that Node does not accept in a header value: all but a tab, printable ASCII and 0x80 to 0xff. */
const toHeaderValue = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');

function randomHeaders(target: Target): fc.Arbitrary<Record<string, string>> {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const choices: Record<string, fc.Arbitrary<string>> = {
    authorization: mostlyOneOf(
      `Bearer ${target.token}`,
      `bearer  ${target.token}`,
      'Bearer',
      basic(`${target.clientId}:${target.clientSecret}`),
      basic('%:%'),
      basic('nobody'),
      'Basic !!!',
      'Digest a=b',
    ),
    cookie: mostlyOneOf(target.cookie, 'a', '=', 'a=b=c;;;', 'a="'),
    origin: mostlyOneOf('null', 'https://evil.example', 'http://127.0.0.1'),
    accept: mostlyOneOf('application/json', 'text/html', '*/*', 'a/b;q=x'),
    host: mostlyOneOf('127.0.0.1', 'localhost:1', 'evil.example', '[::1', ''),
    'accept-version': mostlyOneOf('1.x', '*'),
    'sec-fetch-site': mostlyOneOf('same-origin', 'cross-site'),
    'content-encoding': mostlyOneOf('gzip', 'br', 'identity'),
    'x-forwarded-for': mostlyOneOf('127.0.0.1', ','),
    'x-http-method-override': mostlyOneOf('DELETE'),
    'access-control-request-method': mostlyOneOf('POST'),
    'access-control-request-headers': mostlyOneOf('authorization, x'),
    'if-none-match': mostlyOneOf('*', '"a"'),
    range: mostlyOneOf('bytes=0-', 'bytes=9-1'),
    expect: mostlyOneOf('100-continue', 'nothing'),
  };
  const header = fc
    .constantFrom('authorization', 'authorization', 'authorization', ...Object.keys(choices))
    .chain((name) => fc.tuple(fc.constant(name), (choices[name] ?? unusualText).map(toHeaderValue)));
  return fc.array(header, { maxLength: 4 }).map((list) => Object.fromEntries(list));
}

interface Endpoint {
  method: 'GET' | 'POST';
  /** Null: the consent page, with the query that the form token of the target is valid for. */
  path: string | null;
  names: readonly string[];
  /** Whether the fields are in the body instead of the query. */
  inBody: boolean;
}

const authorizationFields = ['response_type', 'client_id', 'redirect_uri'];
const endpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/oauth/authorize', names: [...authorizationFields, 'scope', 'state'], inBody: false },
  {
    method: 'GET',
    path: '/oauth/authorize',
    names: [...authorizationFields, 'state', 'code_challenge', 'code_challenge_method'],
    inBody: false,
  },
  {
    method: 'POST',
    path: '/oauth/token',
    names: ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code', 'scope'],
    inBody: true,
  },
  { method: 'POST', path: '/oauth/token', names: ['grant_type', 'client_id', 'client_secret'], inBody: true },
  { method: 'POST', path: '/oauth/revoke', names: ['token', 'client_id', 'client_secret'], inBody: true },
  { method: 'POST', path: '/api/v1/apps', names: ['client_name', 'redirect_uris', 'scopes', 'website'], inBody: true },
  { method: 'POST', path: null, names: ['action', 'token', 'username', 'password'], inBody: true },
];

/** A valid request, in which a few values may be invalid, of the wrong type or repeated; sometimes with unusual headers. */
function nearlyValidRequest(target: Target): fc.Arbitrary<RandomRequest> {
  const fieldValues = randomFieldValues(target);
  const extra = fc.oneof(fc.constant({}), randomHeaders(target));
  // `type`: one field of a JSON body has a value of another type; `twice`: one field of a form or query is repeated.
  const defects = fc.constantFrom('none', 'none', 'type', 'twice');
  return fc.constantFrom(...endpoints).chain(({ method, path, names, inBody }) =>
    fc
      .tuple(
        fc.tuple(
          ...names.map((name) => (fieldValues[name] ?? unusualText).map((value): [string, string] => [name, value])),
        ),
        fc.boolean(),
        extra,
        defects,
        fc.tuple(fc.constantFrom(...names), unusualValue),
      )
      .map(([list, prefersForm, extraHeaders, defect, [defectiveName, otherValue]]) => {
        const parameters = defect === 'twice' ? [...list, ...list.filter(([name]) => name === defectiveName)] : list;
        const object = { ...Object.fromEntries(list), ...(defect === 'type' ? { [defectiveName]: otherValue } : {}) };
        const { cookie } = target;
        if (!inBody) {
          const url = `${path}?${encodeForm(parameters)}`;
          return { method, url, headers: { cookie, ...extraHeaders }, body: Buffer.alloc(0) };
        }
        // The consent pages accept only forms.
        const isForm = prefersForm || path === null;
        const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
        return {
          method,
          url: path ?? `/oauth/authorize?${authorizationQuery(target)}`,
          headers: { cookie, 'content-type': type, ...extraHeaders },
          body: Buffer.from(isForm ? encodeForm(parameters) : JSON.stringify(object)),
        };
      }),
  );
}

/** Requests close to valid ones: real paths, fields and secrets, unchanged, corrupted, misplaced or of the wrong type. */
export function randomRequest(target: Target): fc.Arbitrary<RandomRequest> {
  return fc.oneof(scatteredRequest(target), nearlyValidRequest(target));
}

/** A request whose method, URL, headers and body are chosen independently. */
function scatteredRequest(target: Target): fc.Arbitrary<RandomRequest> {
  return fc
    .tuple(fc.constantFrom(...methods), randomUrl(target), randomHeaders(target), randomBody(target), fc.boolean())
    .map(([method, path, chosen, { type, bytes }, hasCookie]) => {
      const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';
      return {
        method,
        url: path,
        headers: {
          ...(hasCookie ? { cookie: target.cookie } : {}),
          ...(hasBody ? { 'content-type': type } : {}),
          ...chosen,
        },
        body: hasBody ? bytes : Buffer.alloc(0),
      };
    });
}

/** The bytes of a request, perhaps with a wrong length or version, or with some bytes replaced or removed. */
export function requestBytes(target: Target): fc.Arbitrary<Buffer> {
  // What the headers state about the length of the body: the correct length, chunks, nothing, both or another length.
  const length = fc.constantFrom(
    ...['correct', 'correct', 'correct', 'chunked', 'none', 'both', '0', '-1', '99999999999', '1e3'],
  );
  // Where to edit, how many bytes to remove, and which bytes to insert.
  const edit = fc.tuple(fc.nat(2_000), fc.nat(4), fc.uint8Array({ maxLength: 4 }));
  const version = fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', '');
  return fc
    .tuple(randomRequest(target), length, version, fc.array(edit, { maxLength: 2 }))
    .map(([request, lengthHeader, protocol, edits]) => {
      let bytes = Buffer.concat([Buffer.from(head(request, lengthHeader, protocol)), request.body]);
      for (const [at, removed, inserted] of edits) {
        bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
      }
      return bytes;
    });
}

/** The request line and headers. */
function head({ method, url, headers, body }: RandomRequest, length: string, version: string): string {
  const lines = [
    `${method} ${url} ${version}`,
    ...Object.entries({ host: '127.0.0.1', ...headers }).map((pair) => pair.join(': ')),
  ];
  if (length === 'correct') lines.push(`content-length: ${body.length}`);
  else if (length === 'chunked') lines.push('transfer-encoding: chunked');
  else if (length === 'both') lines.push(`content-length: ${body.length}`, 'transfer-encoding: chunked');
  else if (length !== 'none') lines.push(`content-length: ${length}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
