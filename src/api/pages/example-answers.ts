import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { DirectoryNotReadError } from '../../directory/directory.ts';
import { ProblemError } from '../answers/problems.ts';
import type { ApiContext } from '../api-context.ts';
import type { Endpoint } from '../endpoint.ts';

/** An example request with a listed domain, and the beginning of its answer. */
export interface ExampleAnswer {
  readonly url: string;
  /** Indented JSON; null when there is no JSON to show. */
  readonly text: string | null;
}

const EXAMPLE_DOMAIN = 'loops.example';
const MAX_LINES = 40;
const MAX_LINE_LENGTH = 160;

/** The examples of all GET endpoints, answered now, by operation; none before the directory is read, or while no listed instance is up. */
export async function exampleAnswers(
  endpoints: readonly Endpoint[],
  context: ApiContext,
): Promise<Map<string, ExampleAnswer>> {
  const domain = listedDomain(context);
  if (domain === null) return new Map();
  const answers = new Map<string, ExampleAnswer>();
  for (const endpoint of endpoints.filter(({ method = 'get' }) => method === 'get')) {
    const url = endpoint.example.replaceAll(EXAMPLE_DOMAIN, domain);
    answers.set(endpoint.operationId, { url, text: await answerTo(endpoint, url, context) });
    // Other requests are answered in between.
    await setImmediate();
  }
  return answers;
}

function listedDomain({ directory }: ApiContext): string | null {
  try {
    return directory.snapshot().instances.find(({ entry }) => entry.status === 'up')?.entry.domain ?? null;
  } catch (error) {
    if (error instanceof DirectoryNotReadError) return null;
    throw error;
  }
}

async function answerTo(endpoint: Endpoint, url: string, context: ApiContext): Promise<string | null> {
  // Only JSON is shown: neither a page, which would contain itself, nor metrics.
  if (!Object.values(endpoint.responses).some((response) => 'application/json' in (response?.content ?? {})))
    return null;
  const { pathname, searchParams } = new URL(url, 'http://api');
  const values = pathname.split('/');
  const parameters = endpoint.path.split('/').flatMap((part, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined ? [] : [[name, values[index] ?? '']];
  });
  const request = { params: Object.fromEntries(parameters), query: Object.fromEntries(searchParams) };
  try {
    const { body, type } = await endpoint.respond(request as FastifyRequest, context);
    if (!Buffer.isBuffer(body) || !type.startsWith('application/json')) return null;
    return beginningOf(JSON.stringify(JSON.parse(body.toString()), null, 2));
  } catch (error) {
    if (error instanceof ProblemError || error instanceof DirectoryNotReadError) return null;
    throw error;
  }
}

function beginningOf(json: string): string {
  const lines = json.split('\n');
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line));
  return [...shown, ...(lines.length > MAX_LINES ? ['…'] : [])].join('\n');
}
