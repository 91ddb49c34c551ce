import type { Exchange } from '../../reference/index.ts';
import type { Scenario } from './scenario.ts';

/** A request of the client under test, with its answer. */
export interface Call extends Exchange {
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  /** The members of the body; empty when the body is missing or unknown. */
  fields: Readonly<Record<string, unknown>>;
  /** The header Location of the answer, or null. */
  location: string | null;
  /** The token in `Authorization: Bearer`, or null. */
  bearer: string | null;
}

/** An app that the client registered. */
export interface RegisteredApp {
  call: Call;
  clientId: string;
  secret: string;
  redirectUris: string[];
  scopes: string[];
}

/** A code that the server issued. */
export interface IssuedCode {
  text: string;
  /** The request whose answer had the code. Its query is that of the authorization request. */
  call: Call;
  /** The query of the redirect; null when the user copies the code from a page. */
  returned: URLSearchParams | null;
}

/** What a client sent in one scenario. */
export interface ClientRun {
  scenario: Scenario['name'];
  /** Base URL of the server. */
  url: string;
  /** In the order of arrival. */
  calls: Call[];
  /** Whether the client says that the server is a Loops server; null: unknown. */
  accepted: boolean | null;
  apps: RegisteredApp[];
  codes: IssuedCode[];
  /** The access tokens that the server issued, each with its scopes; undefined when the answer does not name them. */
  tokens: ReadonlyMap<string, string | undefined>;
}

export const PATHS = {
  config: '/api/v1/config',
  discovery: '/.well-known/nodeinfo',
  apps: '/api/v1/apps',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  account: '/api/v1/account/info/self',
  video: '/api/v1/video/',
};

export function toClientRun(
  { scenario, url, accepted }: Pick<ClientRun, 'scenario' | 'url' | 'accepted'>,
  exchanges: readonly Exchange[],
): ClientRun {
  const calls = exchanges.map(callOf).sort((one, other) => one.at - other.at);
  const succeeded = (path: string) => calls.filter((call) => isTo(call, 'POST', path) && call.status === 200);
  const records = succeeded(PATHS.token).map(({ answer }) => parsed(answer));
  const tokens = new Map(records.map(({ access_token, scope }) => [String(access_token), scope as string | undefined]));
  const apps = succeeded(PATHS.apps).map(appOf);
  return { scenario, url, calls, accepted, apps, tokens, codes: calls.flatMap(codesOf) };
}

export function isTo({ method, path }: Call, wantedMethod: string, wantedPath: string): boolean {
  return method === wantedMethod && path === wantedPath;
}

/** The authorization requests, without the reloads of the consent pages. */
export function authorizationsOf({ calls }: ClientRun): Call[] {
  const requests = calls.filter((call) => isTo(call, 'GET', PATHS.authorize));
  const showsPage = (call: Call) => call.location === null && codesOf(call).length === 0;
  return requests.filter(
    (call, index) => !requests.slice(0, index).some((earlier) => earlier.target === call.target && showsPage(earlier)),
  );
}

function callOf(exchange: Exchange): Call {
  const { target, body, headers, answerHeaders } = exchange;
  const [path = '', ...query] = target.split('?');
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  // A form names the items of a list `name[]` or `name[0]`.
  const fields = Object.fromEntries(members.map(([name, value]) => [name.replace(/\[\d*\]$/, ''), value]));
  const bearer = /^bearer +(\S+) *$/i.exec(String(headers.authorization ?? ''))?.[1] ?? null;
  const location = answerHeaders.location ?? null;
  return { ...exchange, path, query: new URLSearchParams(query.join('?')), fields, location, bearer };
}

function appOf(call: Call): RegisteredApp {
  const { client_id, client_secret, redirect_uri } = parsed(call.answer);
  const { scopes } = call.fields;
  return {
    call,
    clientId: String(client_id),
    secret: String(client_secret),
    // The reference server joins several URIs with line feeds.
    redirectUris: String(redirect_uri).split('\n'),
    scopes: typeof scopes === 'string' && scopes !== '' ? scopes.split(' ') : ['read'],
  };
}

function codesOf(call: Call): IssuedCode[] {
  if (call.path !== PATHS.authorize) return [];
  const isRedirect = call.location !== null && URL.canParse(call.location);
  const returned = isRedirect ? new URL(call.location ?? '').searchParams : null;
  const text = returned === null ? /id="code"[^>]*>([^<]+)</.exec(call.answer ?? '')?.[1] : returned.get('code');
  return text === undefined || text === null ? [] : [{ text, call, returned }];
}

/** The JSON of an answer of the reference server. */
function parsed(answer: string | null): Record<string, unknown> {
  return JSON.parse(answer ?? '{}');
}
