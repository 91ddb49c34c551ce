/**
 * The reference server of the Loops interface, and fleets of it: servers to test a client or a crawler against.
 * Needs nothing of Loopscout and no network beyond 127.0.0.1.
 */
export { createFleet, type Fleet, type FleetOptions } from './fleet/fleet.ts';
export type { Mix } from './fleet/host-plan.ts';
export type { FleetHost } from './fleet/host-table.ts';
export type { Expectation, Kind } from './fleet/kind.ts';
export { kinds } from './fleet/kinds.ts';
export type { LoggedRequest, RequestLog } from './fleet/request-log.ts';
export { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from './server.ts';
export type { NodeInfo, Profile, ReferenceState, ServerConfig, StateOptions } from './state.ts';
