import type { ExampleApp } from './example-app.ts';
import type { SignIn } from './sign-ins.ts';

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
