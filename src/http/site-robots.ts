import { BodyError } from './body-error.ts';
import { NO_RULES, parseRobots, ROBOTS_MAX_BYTES, type Robots } from './robots.ts';
import type { SourceAnswer, SourceRefusal } from './source-http.ts';

/**
 * Reads the robots.txt of a site. RFC 9309 section 2.3.1: 4xx allows all; 5xx and silence nothing, which is returned as the reason.
 *
 * @param get one guarded request that follows redirects.
 */
export async function readSiteRobots(
  origin: string,
  get: (url: URL, maxBytes: number) => Promise<SourceAnswer | SourceRefusal>,
): Promise<Robots | SourceRefusal> {
  const answer = await get(new URL('/robots.txt', origin), ROBOTS_MAX_BYTES);
  if (answer.kind === 'failure') return { ...answer, why: `its robots.txt cannot be had: ${answer.why}` };
  const { status, retryAfterMs } = answer;
  if (status >= 500 || status === 429)
    return { kind: 'failure', why: `its robots.txt cannot be had: status ${status}`, retryAfterMs };
  if (status < 200 || status >= 300) return NO_RULES;
  const body = await beginningOf(answer.body);
  return body instanceof BodyError
    ? { kind: 'failure', why: `its robots.txt cannot be had: ${body.message}`, retryAfterMs: null }
    : parseRobots(body);
}

/** Of a longer one, the first 512 KiB, which the parser takes for cut off. */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array | BodyError> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    if (bytes < ROBOTS_MAX_BYTES) return error;
  }
  return Buffer.concat(chunks);
}
