import { overlay } from '../overlay.ts';
import { randomInteger } from '../random.ts';
import { createState, type ReferenceState, type StateOptions } from '../state.ts';
import type { HostContext } from './kind.ts';
/** The state of a Loops server in the fleet: counts and limits vary from host to host, the rest as `options` say. */
export function loopsState(host: HostContext, options: StateOptions = {}): ReferenceState {
  const { random, changes } = host;
  const total = randomInteger(random, 1, 20_000);
  const activeHalfyear = randomInteger(random, 0, total);
  const drawn: StateOptions = {
    config: {
      app: { name: `Clips of ${host.name}` },
      media: {
        max_video_size: 20 * randomInteger(random, 1, 10),
        max_video_duration: 30 * randomInteger(random, 1, 10),
      },
    },
    usage: {
      users: { total, activeHalfyear, activeMonth: randomInteger(random, 0, activeHalfyear) },
      localPosts: randomInteger(random, 0, 50 * total),
    },
  };
  return createState(host.url, overlay<StateOptions>(overlay<StateOptions>(drawn, options), changes));
}
