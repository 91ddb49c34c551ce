import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Profile, ReferenceState } from '../state.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The only profile that has the route. Default: both have it. */
    profile?: Profile;
  }
}

/** Finds the state of the server that a request is for; in a fleet it depends on the host. */
export type StateOf = (request: FastifyRequest) => ReferenceState;

/** Adds the routes of one endpoint. */
export type Endpoint = (app: FastifyInstance, stateOf: StateOf) => void;

/** The options of a route that only one profile has. */
export function onlyIn(profile: Profile): { config: { profile: Profile } } {
  return { config: { profile } };
}

/** Prefixes a stored path with the base URL. Returns any other value unchanged, because a test may set any type. */
export function absoluteUrl<T>(baseUrl: string, stored: T): T | string {
  return typeof stored === 'string' && stored.startsWith('/') ? baseUrl + stored : stored;
}
