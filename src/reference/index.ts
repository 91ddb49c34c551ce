/**
 * The reference server of the Loops interface, and fleets of such servers, for testing clients and crawlers.
 * Needs no other part of Loopscout and no network beyond 127.0.0.1.
 */
export type { Control, ControlOptions } from './control.ts';
export type { StoredAccount } from './data/accounts.ts';
export { DatabaseError } from './data/open-data.ts';
export type { StoredVideo } from './data/videos.ts';
export type { Exchange, OnExchange } from './exchanges.ts';
export { FaultRule } from './faults/fault-rule.ts';
export { createFleet, type Fleet, type FleetOptions } from './fleet/fleet.ts';
export { FleetFile, HostRow } from './fleet/fleet-file.ts';
export type { Mix } from './fleet/host-plan.ts';
export type { FleetHost } from './fleet/host-table.ts';
export type { Expectation, Kind } from './fleet/kind.ts';
export { kinds } from './fleet/kinds.ts';
export { readFleetFile } from './fleet/read-fleet-file.ts';
export type { LoggedRequest, RequestLog } from './fleet/request-log.ts';
export { type ExampleApp, exampleApp, giveToken, type TokenOptions } from './give-token.ts';
export { JsonFileError } from './options/json-file.ts';
export { type ReadServerOptions, readServerOptions, ServerOptionsFile } from './options/server-options-file.ts';
export type { Account, LiveTokenRecord, NodeInfo, ServerConfig, TokenRecord, Video } from './resources.ts';
export type { AccountOptions, VideoOptions } from './seed/options.ts';
export { seededAccounts } from './seed/seeded.ts';
export { createReferenceServer, type ReferenceServer, type ReferenceServerOptions, type TlsOptions } from './server.ts';
export type { Profile, ReferenceState, StateOptions } from './state.ts';
