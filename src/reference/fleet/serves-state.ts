import { createRandom } from '../random.ts';
import type { HostContext, Kind } from './kind.ts';

/** Whether a host of this kind is a Loops server with all its endpoints, so that its state can be changed. */
export function servesState(kind: Kind): boolean {
  const nowhere = { domain: 'host.example', url: 'https://host.example' };
  const context: HostContext = {
    name: 'host.example',
    ...nowhere,
    port: 443,
    random: createRandom(1),
    target: nowhere,
    changes: {},
  };
  return kind.site?.(context).state !== undefined;
}
