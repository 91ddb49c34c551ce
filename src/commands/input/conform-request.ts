import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Clause, LEVELS, PROFILES } from '../../conform/clauses/clause.ts';
import { SERVER_CLAUSES, selectClauses, selects } from '../../conform/clauses/clauses.ts';
import type { ConformOptions } from '../../conform/conform.ts';
import { type ExpectedFailures, parseExpectedFailures } from '../../conform/expected-failures.ts';
import type { User } from '../../conform/probes/consent.ts';
import { type Domain, isLocal } from '../../model/domain/domain.ts';
import { environmentVariable } from '../../settings/environment.ts';
import type { Invocation } from '../command.ts';
import { similarWords } from './check-request.ts';
import { createProblems, type Problems } from './problems.ts';
import { wholeNumber } from './values.ts';

/** The flags of both tests, of servers and of clients. */
export interface ClauseFlags {
  level?: string;
  only?: string;
  expected?: string;
  out?: string;
  list?: boolean;
}

export interface ConformFlags extends ClauseFlags {
  profile?: string;
  dryRun?: boolean;
  write?: boolean;
  apps?: string;
  username?: string;
  password?: string;
  token?: string;
  video?: string;
  approveButton?: string;
  rate?: string;
  timeout?: string;
}

/** The parsed command line of `conform URL`. */
export interface ConformRequest extends Omit<ConformOptions, 'base' | 'expected' | 'tool' | 'signal'> {
  /** Null only with `--list`. */
  target: Target | null;
  expected: ExpectedFailures;
  outFolder: string | null;
}

/** Loops servers accept 60 requests a minute from one address. */
const DEFAULT_RATE = 55;
const DEFAULT_TIMEOUT = '5';

/** @throws {UsageError} with one line per problem. */
export async function conformRequestOf({ args, options, terminal }: Invocation<ConformFlags>): Promise<ConformRequest> {
  const problems = createProblems();
  const target = targetOf(args, options, problems);
  const clauses = clausesOf(options, SERVER_CLAUSES, problems);
  const rate = problems.attempt(() =>
    options.rate === undefined ? null : wholeNumber('--rate', options.rate, 1, 100_000),
  );
  const seconds = problems.attempt(() => wholeNumber('--timeout', options.timeout ?? DEFAULT_TIMEOUT, 1, 60)) ?? 1;
  const request: ConformRequest = {
    target,
    profile: oneOf('--profile', options.profile ?? 'spec', PROFILES, problems),
    level: oneOf('--level', options.level ?? 'must', LEVELS, problems),
    clauses,
    writes: options.write === true,
    apps: oneOf('--apps', options.apps ?? '1', ['1', '2'], problems) === '2' ? 2 : 1,
    user: userOf(options, problems),
    token: tokenOf(options, problems),
    video: options.video ?? null,
    approveButton: options.approveButton?.trim() || null,
    expected: await expectedOf(options, SERVER_CLAUSES, terminal.cwd, problems),
    outFolder: outFolderOf(options, terminal.cwd, problems),
    perMinute: rate ?? (target?.isLocal === true ? null : DEFAULT_RATE),
    timeoutMs: seconds * 1_000,
  };
  if (options.video !== undefined && !/^\d{1,30}$/.test(options.video)) {
    problems.add(`--video is ${options.video}; allowed: the id of a video, a decimal number`);
  }
  problems.throwIfAny();
  return request;
}

function targetOf([text]: readonly string[], { list }: ConformFlags, problems: Problems): Target | null {
  if (text === undefined) {
    if (list !== true) problems.add('conform needs a URL: loopscout conform https://loops.example');
    return null;
  }
  const target = parseTarget(text);
  if (!('problem' in target)) return target;
  problems.add(target.problem);
  return null;
}

function userOf({ write, username, password }: ConformFlags, problems: Problems): User | null {
  if (username === undefined) {
    if (password !== undefined) problems.add('--password needs --username');
    return null;
  }
  if (username === '') problems.add('--username is empty; name a user of the server');
  if (write !== true) problems.add('--username needs --write, because signing in needs a registered app');
  const secret = password || environmentVariable('LOOPSCOUT_PASSWORD');
  if (secret === undefined) problems.add('--username needs a password: set LOOPSCOUT_PASSWORD, or use --password');
  return { username, password: secret ?? '' };
}

function tokenOf({ token }: ConformFlags, problems: Problems): string | null {
  const text = token ?? environmentVariable('LOOPSCOUT_TOKEN') ?? null;
  if (text !== null && !/^[!-~]+$/.test(text)) {
    problems.add(`${token === undefined ? 'LOOPSCOUT_TOKEN' : '--token'} has characters that no token can have`);
  }
  return text;
}

/** The folder of `--out`; null without it. */
export function outFolderOf({ out }: ClauseFlags, cwd: string, problems: Problems): string | null {
  if (out === undefined) return null;
  const folder = resolve(cwd, out);
  if (out === '') problems.add('--out is empty; name a folder');
  else if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    problems.add(`--out is ${out}, which is a file; name a folder`);
  }
  return folder;
}

export function oneOf<Word extends string>(
  flag: string,
  word: string,
  allowed: readonly Word[],
  problems: Problems,
): Word {
  const found = allowed.find((one) => one === word);
  if (found === undefined) problems.add(`${flag} is ${word}; allowed: ${allowed.join(', ')}`);
  return found ?? (allowed[0] as Word);
}

export function clausesOf<Row extends Clause>({ only }: ClauseFlags, all: readonly Row[], problems: Problems): Row[] {
  const words = only?.split(/[\s,]+/).filter((word) => word !== '') ?? [];
  for (const word of words) {
    if (!all.some((clause) => selects(word, clause))) problems.add(unknownClause(word, all));
  }
  if (only !== undefined && words.length === 0) problems.add('--only names no clause and no section');
  return selectClauses(all, words);
}

function unknownClause(word: string, all: readonly Clause[]): string {
  const similar = similarWords(
    word,
    all.flatMap(({ id, section }) => [id, section]),
  );
  const hint = similar.length === 0 ? '' : `; did you mean ${similar.join(' or ')}?`;
  return `there is no clause or section ${word}${hint} (--list lists them all)`;
}

export async function expectedOf(
  { expected: file }: ClauseFlags,
  all: readonly Clause[],
  cwd: string,
  problems: Problems,
): Promise<ExpectedFailures> {
  if (file === undefined) return {};
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch {
    problems.add(`--expected cannot read ${file}; name a file with JSON`);
    return {};
  }
  const parsed = parseExpectedFailures(text, all);
  if ('expected' in parsed) return parsed.expected;
  for (const problem of parsed.problems) problems.add(`${file}: ${problem}`);
  return {};
}

/** The server under test. */
interface Target {
  /** Without a slash at the end. */
  base: string;
  /** Whether it is on this machine. */
  isLocal: boolean;
}

/** Parses a base URL, `https://loops.example` or `http://127.0.0.1:8089/path`; `https` when the scheme is missing. Returns the problem if the text is not such a URL. */
function parseTarget(text: string): Target | { problem: string } {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `https://${text}`);
  if (url === null || url.hostname === '') return { problem: `${text} is not the URL of a server` };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: `${text} is not an http or https URL` };
  if (url.username !== '' || url.password !== '')
    return { problem: 'leave the user name and the password out of the URL' };
  if (url.search !== '' || url.hash !== '')
    return { problem: `give the base URL without a query: ${url.origin}${url.pathname}` };
  return { base: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, isLocal: isLocal(url.host as Domain) };
}
