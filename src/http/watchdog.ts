import type { TLSSocket } from 'node:tls';
import type { HttpFailure } from './failure.ts';
import { isHandshaking } from './pinned-agents.ts';

/** The time each phase of a request may take, in milliseconds, and the whole visit. */
export interface TimeLimits {
  /** For a connection to stand; as long again for its TLS handshake. */
  connectMs: number;
  /** From the request sent to the first byte of the answer; as long again for its body. */
  responseMs: number;
  visitMs: number;
}

/** A request under way, as the watchdog sees it. */
export interface Watched {
  /** Null until one is assigned. */
  socket(): TLSSocket | null;
  hasAnswer(): boolean;
  end(failure: HttpFailure): void;
}

/**
 * Ends requests that take too long. One timer looks at them all, because a timer for each phase of each request costs
 * more than the requests are worth; a limit is kept to within one look.
 */
export interface Watchdog {
  /** @param visitStartedAt on the watchdog's clock. */
  watch(request: Watched, visitStartedAt: number): void;
  unwatch(request: Watched): void;
}

type Phase = 'connect-timeout' | 'tls-timeout' | 'response-timeout' | 'body-timeout';

interface Watch {
  phase: Phase;
  since: number;
  visitStartedAt: number;
}

/** A look that comes later than this was held up by ourselves; no host is blamed for time in which nobody listened. */
const LAG_MS = 1_000;

/** How often the timer looks, in milliseconds; more often when a limit is short. */
const LOOK_EVERY_MS = 200;

/** @param clock monotonic, in milliseconds. */
export function createWatchdog(limits: TimeLimits, clock: () => number): Watchdog {
  const watches = new Map<Watched, Watch>();
  const everyMs = Math.max(
    10,
    Math.min(LOOK_EVERY_MS, limits.connectMs / 4, limits.responseMs / 4, limits.visitMs / 4),
  );
  let timer: NodeJS.Timeout | null = null;
  let lastLook = 0;

  function look(): void {
    const now = clock();
    const late = now - lastLook - everyMs;
    lastLook = now;
    for (const [request, watch] of watches) {
      if (late > LAG_MS) {
        watch.since += late;
        watch.visitStartedAt += late;
      }
      const phase = phaseOf(request);
      if (phase !== watch.phase) {
        watch.phase = phase;
        watch.since = now;
      }
      const limit = phase === 'connect-timeout' || phase === 'tls-timeout' ? limits.connectMs : limits.responseMs;
      if (now - watch.since >= limit) request.end(phase);
      else if (now - watch.visitStartedAt >= limits.visitMs) request.end('visit-timeout');
    }
  }

  return {
    watch(request, visitStartedAt) {
      watches.set(request, { phase: phaseOf(request), since: clock(), visitStartedAt });
      if (timer !== null) return;
      lastLook = clock();
      timer = setInterval(look, everyMs);
    },
    unwatch(request) {
      watches.delete(request);
      if (watches.size > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    },
  };
}

function phaseOf(request: Watched): Phase {
  if (request.hasAnswer()) return 'body-timeout';
  const socket = request.socket();
  if (socket === null || socket.connecting) return 'connect-timeout';
  return isHandshaking(socket) ? 'tls-timeout' : 'response-timeout';
}
