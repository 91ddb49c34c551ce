import { resolve } from 'node:path';
import {
  createReferenceServer,
  DatabaseError,
  type ExampleApp,
  exampleApp,
  giveToken,
  JsonFileError,
  type ReferenceServer,
  type ReferenceServerOptions,
  readServerOptions,
  seededAccounts,
} from '../reference/index.ts';
import { shellWord } from '../report/shell-word.ts';
import { UsageError } from './command.ts';

/** An options file and its content. */
export interface OptionsFile {
  path: string;
  options: ReferenceServerOptions;
}

/**
 * Reads the file that `--options` names.
 * @param database the value of `--database`, which overrides the file.
 * @throws {JsonFileError} naming every problem of the file.
 */
export function optionsFileOf(text: string, cwd: string, database: string | undefined): OptionsFile {
  const path = resolve(cwd, text);
  const { $schema: _, ...options } = readServerOptions(path, { database });
  return { path, options };
}

export interface ReferenceServerFlags
  extends Pick<ReferenceServerOptions, 'port' | 'host' | 'url' | 'profile' | 'tls' | 'database' | 'seed' | 'control'> {
  file: OptionsFile | undefined;
  /** The folder that relative paths resolve against. */
  cwd: string;
}

const defaultPort = 8_089;

/**
 * Starts one server. Flags override the options file.
 * @throws {UsageError | JsonFileError} when a flag or the options file cannot be used.
 */
export async function startReferenceServer({ file, cwd, ...flags }: ReferenceServerFlags): Promise<Started> {
  const options: ReferenceServerOptions = { port: defaultPort, ...file?.options, ...flags };
  if (options.database !== undefined) options.database = resolve(cwd, options.database);
  // A reset registers the app and issues the token again; with the same seed they are the same.
  if (options.control !== undefined) options.control.afterReset = () => factsOf(server, options);
  const server = await start(options, file?.path);
  const facts = factsOf(server, options);
  return { facts, text: referenceExamples(facts), [Symbol.asyncDispose]: server.close };
}

function factsOf(server: ReferenceServer, options: ReferenceServerOptions): ServerFacts {
  const { url, port, caFile, state, control } = server;
  const app = exampleApp(state);
  const accounts = signInsOf(server, options);
  const token = accounts[0] === undefined ? null : giveToken(server, { username: accounts[0].username }).access_token;
  const videos = state.data.videos.all().map(({ id }) => id);
  const { profile } = state;
  return {
    url,
    port,
    accounts,
    token,
    videos,
    caFile,
    profile,
    app,
    control: control === null ? null : { url: control.url, token: control.token },
  };
}

async function start(options: ReferenceServerOptions, path: string | undefined): Promise<ReferenceServer> {
  try {
    return await createReferenceServer(options);
  } catch (error) {
    if (error instanceof DatabaseError) throw new UsageError(error.message, { cause: error });
    if (error instanceof JsonFileError && path !== undefined) {
      throw new JsonFileError(path, error.problems, { cause: error });
    }
    const { port } = error as { port?: number };
    const isControl = options.control?.port === port && options.port !== port;
    throw explainListenError(error, port ?? defaultPort, isControl ? '--control' : '--port');
  }
}

const problems: Readonly<Record<string, (port: number, flag: string) => string>> = {
  EADDRINUSE: (port, flag) =>
    `port ${port} is in use; stop the program that uses it, or name another with ${flag} (0: any free port)`,
  EACCES: (port, flag) => `port ${port} needs more rights; set ${flag} to 1024 or higher`,
  EADDRNOTAVAIL: () => 'the address is not an address of this machine; set --host to one',
  ENOTFOUND: () => 'the address cannot be resolved; set --host to an address of this machine',
};

/** Turns a listen error into a {@link UsageError} that names the flag of the port; returns any other error unchanged. */
export function explainListenError(error: unknown, port: number, flag = '--port'): unknown {
  const problem = problems[(error as NodeJS.ErrnoException)?.code ?? ''];
  return problem === undefined ? error : new UsageError(`the reference server cannot listen: ${problem(port, flag)}`);
}

/** A running server or fleet, with its descriptions. */
export interface Started extends AsyncDisposable {
  /** For a machine: one line of JSON. */
  facts: object;
  /** For a person. */
  text: string;
}

/** The line of `--json`. */
interface ServerFacts {
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

interface SignIn {
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
