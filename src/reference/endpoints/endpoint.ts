import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ReferenceState } from '../state.ts';

/** Finds the state of the server that a request is for: always the same one, or, in a fleet, that of the named host. */
export type StateOf = (request: FastifyRequest) => ReferenceState;

/** Adds the routes of one endpoint. */
export type Endpoint = (app: FastifyInstance, stateOf: StateOf) => void;

/**
 * The URL to send for one that is kept: a path of the server's own gets its base URL before it, anything else goes as it
 * is, so that a test may set what it likes.
 */
export function absoluteUrl<T>(baseUrl: string, kept: T): T | string {
  return typeof kept === 'string' && kept.startsWith('/') ? baseUrl + kept : kept;
}
