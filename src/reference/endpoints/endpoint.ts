import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ReferenceState } from '../state.ts';

/** Finds the state of the server that a request is for; in a fleet it depends on the host. */
export type StateOf = (request: FastifyRequest) => ReferenceState;

/** Adds the routes of one endpoint. */
export type Endpoint = (app: FastifyInstance, stateOf: StateOf) => void;

/** Prefixes a stored path with the base URL. Returns any other value unchanged, because a test may set any type. */
export function absoluteUrl<T>(baseUrl: string, stored: T): T | string {
  return typeof stored === 'string' && stored.startsWith('/') ? baseUrl + stored : stored;
}
