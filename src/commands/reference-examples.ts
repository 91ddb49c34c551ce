import { type ReferenceServer, type ReferenceServerOptions, seededAccounts } from '../reference/index.ts';

export interface ReferenceFacts {
  url: string;
  caFile: string | null;
  profile: string;
  accounts: readonly SignIn[];
  /** Id of a video there is. */
  video: string | undefined;
  app: ExampleApp;
}

/** What to tell a person of a server that runs; lines that start with two spaces can be pasted. */
export function referenceExamples({ url, caFile, profile, accounts, video, app }: ReferenceFacts): string {
  const curl = caFile === null ? 'curl -sS' : `curl -sS --cacert ${quoted(caFile)}`;
  const get = (path: string) => `  ${curl} ${quoted(url + path)}`;
  const isJson = `-H 'Content-Type: application/json'`;
  const post = (path: string, body: object) => `${get(path)} ${isJson} -d ${quoted(JSON.stringify(body))}`;
  const width = Math.max(...accounts.map(({ username }) => username.length));
  const asked = {
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: app.redirect_uri,
    scope: 'read',
  };
  const registration = { client_name: 'My app', redirect_uris: app.redirect_uri, scopes: 'read' };
  const { redirect_uri: _, ...credentials } = app;
  const redeemed = { grant_type: 'authorization_code', ...app, code: '%s' };
  return [
    `Reference server at ${url} (profile ${profile}). ${
      accounts.length === 0 ? 'No password is known to this command.' : 'Sign in as, with the password:'
    }`,
    ...accounts.map(({ username, password }) => `  ${username.padEnd(width)}  ${password}`),
    'Try:',
    get('/api/v1/config'),
    get('/.well-known/nodeinfo'),
    get('/nodeinfo/2.0'),
    ...(video === undefined ? [] : [get(`/api/v1/video/${video}`)]),
    'Register an app of your own:',
    post('/api/v1/apps', registration),
    'Or use the one that is there already; a token for the app itself:',
    post('/oauth/token', { grant_type: 'client_credentials', ...credentials, scope: 'read' }),
    'A token for a user: open this page, sign in and approve,',
    `  ${url}/oauth/authorize?${new URLSearchParams(asked)}`,
    'then give the code that it shows to',
    `  read -r code; token=$(printf ${quoted(JSON.stringify(redeemed))} "$code" |`,
    `  ${curl} ${quoted(`${url}/oauth/token`)} ${isJson} -d @- | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    'and ask who that is:',
    `${get('/api/v1/account/info/self')} -H "Authorization: Bearer $token"`,
  ].join('\n');
}

/** A word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** An app that a server knows, as the registration endpoint names its parts. */
export interface ExampleApp {
  client_id: string;
  client_secret: string;
  redirect_uri: string;
}

const NAME_OF_FACT = 'example-app';
const REDIRECT_URI = 'urn:ietf:wg:oauth:2.0:oob';

/**
 * An app that is there from the start, so that the example requests are whole. A database that is kept has one, and keeps its secret
 * too, so that it is the same at every start: what is printed each time is no secret.
 */
export function exampleApp({ state: { data, now } }: ReferenceServer): ExampleApp {
  return data.transaction(() => {
    const kept = data.fact(NAME_OF_FACT);
    const known: ExampleApp | undefined = kept === undefined ? undefined : JSON.parse(kept);
    if (known !== undefined && data.apps.find(known.client_id) !== undefined) return known;
    const { app, secret } = data.apps.register(
      { name: 'Example', website: '', redirectUris: [REDIRECT_URI], scopes: ['read', 'write', 'follow'] },
      Math.floor(now()),
    );
    // Not among the first to go, although it may never be used.
    data.apps.touch(app.id);
    const made: ExampleApp = { client_id: app.clientId, client_secret: secret, redirect_uri: REDIRECT_URI };
    data.setFact(NAME_OF_FACT, JSON.stringify(made));
    return made;
  });
}

export interface SignIn {
  username: string;
  password: string;
}

/**
 * Who can sign in to a server, as far as passwords are known: those that the seed gives and those that the options give, where
 * the server takes them. A database may hold others.
 */
export function signInsOf({ state }: ReferenceServer, { accounts = [] }: ReferenceServerOptions): SignIn[] {
  const seeded = seededAccounts(Number(state.data.fact('seed') ?? 1));
  const own = accounts.flatMap(({ username, password }) => (password === undefined ? [] : [{ username, password }]));
  const accepted = new Map<string, SignIn>();
  for (const { username, password } of [...seeded, ...own]) {
    const account = state.data.accounts.signIn(username, password);
    if (account !== undefined) accepted.set(account.id, { username: account.username, password });
  }
  return [...accepted.values()];
}
