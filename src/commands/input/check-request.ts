import { resolve } from 'node:path';
import { AREAS, type Rule } from '../../check/rule.ts';
import { rulesFor, selectRules } from '../../check/rules.ts';
import { parseLocalServer } from '../../model/domain/local-server.ts';
import { nearest } from '../../settings/keys.ts';
import { DomainsError, parseDomains } from '../../settings/parse-domains.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Invocation, UsageError } from '../command.ts';
import { settingsOf } from './open-app.ts';
import { createProblems } from './problems.ts';
import { wholeNumber } from './values.ts';

export interface CheckOptions {
  strict?: boolean;
  only?: string;
  skip?: string;
  watch?: boolean;
  interval?: string;
  quiet?: boolean;
  /** True, or `-`: to stdout. */
  junit?: string | true;
  markdown?: boolean;
  /** `-`: to stdout. */
  badge?: string;
  rule?: string;
  rules?: boolean;
}

/** The parsed command line of `check DOMAIN`. */
export interface CheckRequest {
  settings: Settings;
  domain: ReturnType<typeof parseDomains>[number];
  /** Ids of rules, or areas; undefined: all. */
  only: readonly string[] | undefined;
  skip: readonly string[];
  isStrict: boolean;
  isQuiet: boolean;
  /** The format of stdout. */
  format: 'text' | 'json' | 'markdown' | 'junit' | 'badge';
  junitFile: string | null;
  badgeFile: string | null;
  /** The pause between two checks; null: one check. */
  watchEveryMs: number | null;
}

/**
 * A check sends at most ten requests to the API, and a Loops server accepts 60 a minute and 700 an hour from one address: one check
 * per minute stays below both.
 */
const MIN_INTERVAL_SECONDS = 60;
const DEFAULT_INTERVAL_SECONDS = '120';

/** @throws {UsageError} {SettingsError} {DomainsError} with one line per problem. */
export function checkRequestOf(invocation: Invocation<CheckOptions>, all: readonly Rule[]): CheckRequest {
  const { args, options, terminal } = invocation;
  const settings = settingsOf(invocation);
  const problems = createProblems();
  const [text, ...more] = args;
  if (text === undefined) problems.add('check needs a domain: loopscout check loops.example');
  if (more.length > 0) problems.add(`one domain is checked at a time: leave out ${more.join(' ')}`);
  const domain = text === undefined ? undefined : problems.attempt(() => checkedDomain(text, settings));
  const only = wordsOf(options.only);
  const skip = wordsOf(options.skip) ?? [];
  const unknown = unknownWords([...(only ?? []), ...skip], all);
  for (const word of unknown) problems.add(unknownRule(word, all));
  const applicable = domain === undefined ? all : rulesFor(domain, all);
  const selected = unknown.length === 0 ? selectRules(all, { only, skip }) : all;
  if (only?.length === 0 || !selected.some((rule) => applicable.includes(rule)))
    problems.add('--only and --skip leave no rule to check; leave one of them out');
  const seconds = problems.attempt(() =>
    wholeNumber('--interval', options.interval ?? DEFAULT_INTERVAL_SECONDS, MIN_INTERVAL_SECONDS, 86_400),
  );
  if (options.interval !== undefined && options.watch !== true) problems.add('--interval needs --watch');
  const format = problems.attempt(() => formatOf(options)) ?? 'text';
  const junitFile = fileOf(options.junit, terminal.cwd);
  const badgeFile = fileOf(options.badge, terminal.cwd);
  if (junitFile !== null && junitFile === badgeFile)
    problems.add(`--junit and --badge both write ${junitFile}; name two files`);
  problems.throwIfAny();
  if (domain === undefined) throw new UsageError('check needs a domain: loopscout check loops.example');
  return {
    settings,
    domain,
    only,
    skip,
    isStrict: options.strict === true,
    isQuiet: options.quiet === true,
    format,
    junitFile,
    badgeFile,
    watchEveryMs: options.watch === true && seconds !== undefined ? seconds * 1_000 : null,
  };
}

const LOCAL_EXAMPLE = 'http://127.0.0.1:PORT for a server on this machine';

/** @throws {UsageError} {DomainsError} when the text names no server; the message leaves out a password. */
function checkedDomain(text: string, settings: Settings): CheckRequest['domain'] | undefined {
  const local = parseLocalServer(text);
  if (local !== null) return local;
  const withoutUser = text.replace(/^([a-z]+:\/\/)?[^/?#]*@/i, '$1');
  try {
    return parseDomains([text], settings)[0];
  } catch (error) {
    const [refused] = error instanceof DomainsError ? error.refused : [];
    if (refused === undefined) throw error;
    if (withoutUser !== text) throw new UsageError(`leave out the user name and password: ${withoutUser}`);
    if (refused.reason === 'ip-literal')
      throw new UsageError(`${text}: an IP address cannot be checked; give the server's name, or ${LOCAL_EXAMPLE}`);
    if (refused.reason === 'single-label' && /\blocalhost\b/i.test(text))
      throw new UsageError(`${text}: not a domain that can be visited; write ${LOCAL_EXAMPLE}`);
    throw error;
  }
}

/** The file to write; null when none was given, or when it is stdout. */
function fileOf(path: string | true | undefined, cwd: string): string | null {
  return typeof path === 'string' && !isStdout(path) ? resolve(cwd, path) : null;
}

/** Whether a path is stdout, which must not be opened as a file: that would truncate other output. */
function isStdout(path: string | true | undefined): boolean {
  return path === '-' || path === '/dev/stdout' || path === '/dev/fd/1' || path === '/proc/self/fd/1';
}

function wordsOf(list: string | undefined): string[] | undefined {
  return list?.split(/[\s,]+/).filter((word) => word !== '');
}

function unknownWords(words: readonly string[], all: readonly Rule[]): string[] {
  const known = new Set<string>([...AREAS, ...all.map(({ id }) => id)]);
  return [...new Set(words)].filter((word) => !known.has(word));
}

/** The error message for an unknown rule or area, with suggestions. */
export function unknownRule(word: string, all: readonly Rule[]): string {
  const similar = similarWords(word, [...all.map(({ id }) => id), ...AREAS]);
  const hint = similar.length === 0 ? `areas are ${AREAS.join(', ')}` : `did you mean ${similar.join(' or ')}?`;
  return `there is no rule or area ${word}; ${hint} (loopscout check --rules lists them all)`;
}

/** @throws {UsageError} when several formats would be written to stdout. */
function formatOf({ json, markdown, junit, badge }: Invocation<CheckOptions>['options']): CheckRequest['format'] {
  const requested = [
    ...(json === true ? (['json'] as const) : []),
    ...(markdown === true ? (['markdown'] as const) : []),
    ...(junit === true || isStdout(junit) ? (['junit'] as const) : []),
    ...(isStdout(badge) ? (['badge'] as const) : []),
  ];
  if (requested.length > 1) {
    throw new UsageError(
      `${requested.map((name) => `--${name}`).join(' and ')} both write to stdout: choose one; --junit and --badge can write files`,
    );
  }
  return requested[0] ?? 'text';
}

/** At most three similar known words: the nearest by edit distance, then words that contain this one or are contained in it. */
export function similarWords(word: string, known: readonly string[]): string[] {
  const lower = word.toLowerCase();
  const overlapping = known.filter((name) => lower.length > 2 && (name.includes(lower) || lower.includes(name)));
  const closest = nearest(word, known);
  return [...new Set([...(closest === null ? [] : [closest]), ...overlapping])].slice(0, 3);
}
