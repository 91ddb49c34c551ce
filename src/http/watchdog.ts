import type { TLSSocket } from 'node:tls';
import type { Clock } from '../model/time.ts';
import type { HttpFailure } from './failure.ts';
import { isHandshaking } from './pinned-agents.ts';

/** Time limits of the phases of a request and of the whole visit, in milliseconds. */
export interface TimeLimits {
  /** For the TCP connection, and again for the TLS handshake. */
  connectMs: number;
  /** From sending the request to the end of the answer's headers, and again for the body. */
  responseMs: number;
  visitMs: number;
}

/** A running request, as the watchdog sees it. */
export interface Watched {
  /** Null until assigned. */
  socket(): TLSSocket | null;
  hasAnswer(): boolean;
  end(failure: HttpFailure): void;
}

type Phase = 'connect-timeout' | 'tls-timeout' | 'response-timeout' | 'body-timeout';

interface Watch {
  phase: Phase;
  since: number;
  visitStartedAt: number;
  /** Number of our own delays that were not counted. */
  delays: number;
}

/** A check this late means that our own event loop was blocked; the delay does not count against any host. */
const LAG_MS = 1_000;

/** Maximum number of ignored delays of one request: a host whose answers block the event loop must not gain unlimited time. */
const MAX_DELAYS = 3;

/** Interval of the timer; shorter when a limit is short. */
const CHECK_EVERY_MS = 200;

/**
 * Ends requests that take too long. One timer checks them all, because a timer for each phase of each request costs too much CPU; a
 * limit may be exceeded by up to two intervals of the timer.
 */
export function createWatchdog(limits: TimeLimits, clock: Clock) {
  const watches = new Map<Watched, Watch>();
  const everyMs = Math.max(
    10,
    Math.min(CHECK_EVERY_MS, limits.connectMs / 4, limits.responseMs / 4, limits.visitMs / 4),
  );
  let timer: NodeJS.Timeout | null = null;
  let lastCheck = 0;

  function check(): void {
    const now = clock();
    const late = now - lastCheck - everyMs;
    lastCheck = now;
    for (const [request, watch] of watches) {
      if (late > LAG_MS && watch.delays < MAX_DELAYS) {
        watch.delays += 1;
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
    /** @param visitStartedAt on the watchdog's clock. */
    watch(request: Watched, visitStartedAt: number): void {
      watches.set(request, { phase: phaseOf(request), since: clock(), visitStartedAt, delays: 0 });
      if (timer !== null) return;
      lastCheck = clock();
      timer = setInterval(check, everyMs);
    },
    unwatch(request: Watched): void {
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
