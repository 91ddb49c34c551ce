import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ReferenceState } from '../state.ts';

/** Finds the state of the server that a request is for: always the same one, or, in a fleet, that of the named host. */
export type StateOf = (request: FastifyRequest) => ReferenceState;

/** Adds the routes of one endpoint. */
export type Endpoint = (app: FastifyInstance, stateOf: StateOf) => void;
