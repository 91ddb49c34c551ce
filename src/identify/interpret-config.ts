import { parseJsonObject } from './json.ts';
import type { ServerConfig } from './parse-config.ts';
import { PARSERS, type Parsers } from './parsers.ts';

/** What the body of a 2xx answer to the config probe says; null when it settles nothing. Pure. */
export function interpretConfig(body: Uint8Array, parsers: Parsers = PARSERS): ServerConfig | null {
  const document = parseJsonObject(body);
  return document === null ? null : parsers.config(document);
}
