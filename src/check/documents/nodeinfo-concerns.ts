import type { Evidence } from '../evidence.ts';
import { failsAsConfig } from './fails-as-config.ts';
import { hidesNodeInfo } from './hides-nodeinfo.ts';
import { isDown } from './is-down.ts';
import { movedAway } from './moved-away.ts';
import { standInOf } from './stand-in-of.ts';

/** Whether there is anything to say of NodeInfo that does not follow from something larger: a dead host, a move, federation that is off. */
export function nodeInfoConcerns(evidence: Evidence): boolean {
  return (
    !isDown(evidence) &&
    !movedAway(evidence) &&
    !hidesNodeInfo(evidence) &&
    !failsAsConfig(evidence) &&
    standInOf(evidence) === null
  );
}
