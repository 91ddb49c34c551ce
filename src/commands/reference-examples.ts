import {
  type ExampleApp,
  type ReferenceServer,
  type ReferenceServerOptions,
  seededAccounts,
} from '../reference/index.ts';
import { shellWord } from '../report/shell-word.ts';

/** The line of `--json`. */
export interface ServerFacts {
  url: string;
  port: number;
  caFile: string | null;
  profile: string;
  accounts: readonly SignIn[];
  /** A token for the first account. */
  token: string | null;
  /** The ids of all videos. */
  videos: readonly string[];
  app: ExampleApp;
  control: { url: string; token: string } | null;
}

const exampleFault = { route: '/api/v1/config', fault: 'server-error', status: 503 };

const bearer = ({ token }: { token: string }) => `-H ${shellWord(`Authorization: Bearer ${token}`)}`;

/** Describes a running server as text. Lines that start with two spaces are commands to paste. */
export function referenceExamples({
  url,
  caFile,
  profile,
  accounts,
  token,
  videos: [video],
  app,
  control,
}: ServerFacts): string {
  const curl = caFile === null ? 'curl -sS' : `curl -sS --cacert ${shellWord(caFile)}`;
  const get = (path: string) => `  ${curl} ${shellWord(url + path)}`;
  const jsonHeader = `-H 'Content-Type: application/json'`;
  const post = (path: string, body: object) => `${get(path)} ${jsonHeader} -d ${shellWord(JSON.stringify(body))}`;
  const width = Math.max(...accounts.map(({ username }) => username.length));
  const authorization = {
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: app.redirect_uri,
    scope: 'read',
  };
  const registration = { client_name: 'My app', redirect_uris: app.redirect_uri, scopes: 'read' };
  const { redirect_uri: _, ...credentials } = app;
  const tokenRequest = { grant_type: 'authorization_code', ...app, code: '%s' };
  return [
    `Reference server at ${url} (profile ${profile}). ${
      accounts.length === 0 ? 'No password is known to this command.' : 'Sign in as, with the password:'
    }`,
    ...accounts.map(({ username, password }) => `  ${username.padEnd(width)}  ${password}`),
    ...(url.startsWith('https:') ? [] : [`Check it: loopscout check ${url}`]),
    'Try:',
    get('/api/v1/config'),
    get('/.well-known/nodeinfo'),
    get('/nodeinfo/2.0'),
    ...(video === undefined ? [] : [get(`/api/v1/video/${video}`)]),
    ...(token === null
      ? []
      : [
          `Request the account ${accounts[0]?.username}, with a token for it:`,
          `${get('/api/v1/account/info/self')} -H 'Authorization: Bearer ${token}'`,
        ]),
    ...(control === null
      ? []
      : [
          'Answer config with 503, and then as before:',
          `  curl -sS -X PUT ${control.url}/faults ${bearer(control)} ${jsonHeader} -d ${shellWord(JSON.stringify([exampleFault]))}`,
          `  curl -sS -X DELETE ${control.url}/faults ${bearer(control)}`,
        ]),
    'Register your own app:',
    post('/api/v1/apps', registration),
    'Or use the existing one. Request a token for the app itself:',
    post('/oauth/token', { grant_type: 'client_credentials', ...credentials, scope: 'read' }),
    'To get a token as your users do, open this page, sign in and approve,',
    `  ${url}/oauth/authorize?${new URLSearchParams(authorization)}`,
    'then enter the code that it shows into',
    `  read -r code; token=$(printf ${shellWord(JSON.stringify(tokenRequest))} "$code" |`,
    `  ${curl} ${shellWord(`${url}/oauth/token`)} ${jsonHeader} -d @- | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    'and request the account:',
    `${get('/api/v1/account/info/self')} -H "Authorization: Bearer $token"`,
  ].join('\n');
}

export interface SignIn {
  username: string;
  password: string;
}

/**
 * The accounts with known passwords, from the seed and the options, that the server accepts. Its database may hold other accounts.
 */
export function signInsOf({ state }: ReferenceServer, { accounts = [] }: ReferenceServerOptions): SignIn[] {
  const seeded = seededAccounts(Number(state.data.setting('seed') ?? 1));
  const fromOptions = accounts.flatMap(({ username, password }) =>
    password === undefined ? [] : [{ username, password }],
  );
  const accepted = new Map<string, SignIn>();
  for (const { username, password } of [...seeded, ...fromOptions]) {
    const account = state.data.accounts.signIn(username, password);
    if (account !== undefined) accepted.set(account.id, { username: account.username, password });
  }
  return [...accepted.values()];
}
