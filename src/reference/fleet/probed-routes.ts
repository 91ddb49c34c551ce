import type { FaultRule } from '../faults/fault-rule.ts';
import { configPath, discoveryPath } from './documents.ts';

/** A fault and its parameters, without a route. */
export type FaultOf = FaultRule extends infer Rule ? (Rule extends FaultRule ? Omit<Rule, 'route'> : never) : never;

/** A fault of the config endpoint alone. */
export function onConfig(fault: FaultOf): FaultRule[] {
  return [{ route: configPath, ...fault }];
}

/** A fault of everything that tells what a host is, and not of robots.txt. */
export function onEveryProbe(fault: FaultOf): FaultRule[] {
  return [configPath, discoveryPath, '/nodeinfo/*'].map((route) => ({ route, ...fault }));
}
