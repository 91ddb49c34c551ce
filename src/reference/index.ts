/**
 * The reference server of the Loops interface, and fleets of it: servers to test a client or a crawler against.
 * Needs nothing of Loopscout and no network beyond 127.0.0.1.
 */
export type { KeptAccount } from './data/accounts.ts';
export { DatabaseError } from './data/open-data.ts';
export type { KeptVideo } from './data/videos.ts';
export { FaultRule } from './faults/fault-rule.ts';
export { createFleet, type Fleet, type FleetOptions } from './fleet/fleet.ts';
export { FleetFile, HostRow } from './fleet/fleet-file.ts';
export type { Mix } from './fleet/host-plan.ts';
export type { FleetHost } from './fleet/host-table.ts';
export type { Expectation, Kind } from './fleet/kind.ts';
export { kinds } from './fleet/kinds.ts';
export { readFleetFile } from './fleet/read-fleet-file.ts';
export type { LoggedRequest, RequestLog } from './fleet/request-log.ts';
export { JsonFileError } from './options/json-file-error.ts';
export { type ReadServerOptions, readServerOptions, ServerOptionsFile } from './options/server-options-file.ts';
export type { Account } from './resources/account.ts';
export type { NodeInfo } from './resources/node-info.ts';
export type { ServerConfig } from './resources/server-config.ts';
export type { Video } from './resources/video.ts';
export type { AccountOptions } from './seed/account-options.ts';
export { seededAccounts } from './seed/seeded-accounts.ts';
export type { VideoOptions } from './seed/video-options.ts';
export { createReferenceServer, type ReferenceServer, type ReferenceServerOptions, type TlsOptions } from './server.ts';
export type { Profile, ReferenceState, StateOptions } from './state.ts';
