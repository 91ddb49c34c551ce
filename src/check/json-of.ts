import { type JsonObject, parseJsonObject } from '../identify/json.ts';
import type { Exchange } from './exchange.ts';

/** The body of an answer as a JSON object, whatever its content type says; null when it is none, or no whole answer came. */
export function jsonOf(exchange: Exchange | null): JsonObject | null {
  return exchange === null || exchange.failure !== null ? null : parseJsonObject(exchange.body);
}
