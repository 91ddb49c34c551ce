import type { HttpFailure } from '../../http/failure.ts';
import { asObject, type JsonObject } from '../../identify/json.ts';
import { classifyPage } from '../../identify/page-class.ts';
import type { Exchange } from '../exchange.ts';
import { type JsonReading, readJson } from './read-json.ts';
import { showValue } from './show-value.ts';

/** What a request for a JSON document brought. */
export type DocumentReading =
  /** It was not asked for. */
  | { kind: 'unasked' }
  | { kind: 'failure'; failure: HttpFailure; detail: string | null }
  /** A proxy wants to see a browser first. */
  | { kind: 'challenge'; by: string | null; status: number }
  /** `to` is null where the address is none. */
  | { kind: 'redirect'; status: number; location: string; to: URL | null }
  /** Any other status than 2xx. */
  | { kind: 'status'; status: number }
  /** Not JSON, or JSON that is no object; `problem` ends a sentence about the body. */
  | { kind: 'not-json'; problem: string; isPage: boolean }
  | { kind: 'object'; document: JsonObject; json: Extract<JsonReading, { ok: true }> };

/** Tells what an answer is. Pure. */
export function documentOf(exchange: Exchange | null): DocumentReading {
  if (exchange === null) return { kind: 'unasked' };
  const { status, headers, body, failure, detail, url } = exchange;
  if (failure !== null) return { kind: 'failure', failure, detail };
  if (status === null) return { kind: 'failure', failure: 'connection-reset', detail };
  const page = classifyPage({ status, headers, body });
  if (page?.class === 'challenge-page') return { kind: 'challenge', by: page.by, status };
  if (status >= 300 && status < 400 && headers.location !== undefined)
    return { kind: 'redirect', status, location: headers.location, to: URL.parse(headers.location, url) };
  if (status < 200 || status >= 300) return { kind: 'status', status };

  const json = readJson(body);
  if (!json.ok) return { kind: 'not-json', problem: json.problem, isPage: json.problem.includes('HTML') };
  const document = asObject(json.value);
  if (document === null)
    return { kind: 'not-json', problem: `is JSON, but not an object: ${showValue(json.value)}`, isPage: false };
  return { kind: 'object', document, json };
}
