import { createState, type ReferenceState, type StateOptions } from '../state.ts';
import type { HostContext } from './kind.ts';
import { randomInteger } from './random.ts';

/** The state of a Loops server in the fleet: counts and limits vary from host to host, the rest as `options` say. */
export function loopsState(host: HostContext, options: StateOptions = {}): ReferenceState {
  const { random } = host;
  const total = randomInteger(random, 1, 20_000);
  const activeHalfyear = randomInteger(random, 0, total);
  const state = createState(host.url, {
    ...options,
    usage: options.usage ?? {
      users: { total, activeHalfyear, activeMonth: randomInteger(random, 0, activeHalfyear) },
      localPosts: randomInteger(random, 0, 50 * total),
    },
  });
  if (options.config?.app?.name === undefined) state.config.app.name = `Clips of ${host.name}`;
  if (options.config?.media === undefined) {
    state.config.media.max_video_size = 20 * randomInteger(random, 1, 10);
    state.config.media.max_video_duration = 30 * randomInteger(random, 1, 10);
  }
  return state;
}
