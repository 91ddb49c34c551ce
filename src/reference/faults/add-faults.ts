import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { exposeHeaders } from '../cross-origin.ts';
import { chooseFault, type FaultSettings, type RemainingTimes, type RequestFault } from './choose-fault.ts';
import { corruptAnswer } from './corrupt-answer.ts';
import type { FaultRule } from './fault-rule.ts';
import { substituteOf, withoutHop } from './substitute.ts';
import type { Reset, WireScript } from './wire.ts';

/** Finds the faults and delays of the server that a request is for. */
export type FaultsOf = (request: FastifyRequest) => FaultSettings;

/**
 * Adds the hook that applies every delay and fault rule, for one server and for a fleet alike. Pending delays are cancelled
 * when the app closes.
 */
export function addFaults(app: FastifyInstance, faultsOf: FaultsOf, reset: Reset): void {
  const timers = createTimers();
  const remaining: RemainingTimes = new WeakMap();

  const applyRule = (rule: FaultRule, request: FastifyRequest, reply: FastifyReply, next: () => void) => {
    const { socket } = request.raw;
    if (breakConnection(rule, reply, () => reset(socket))) return;
    const target = { host: request.headers.host ?? '', target: request.url };
    const substitute = substituteOf(rule, faultsOf(request), target);
    if (substitute !== undefined) {
      exposeHeaders(reply).code(substitute.status).headers(substitute.headers).send(substitute.body);
      return;
    }
    // After the last hop of a redirect chain, the endpoint answers the original target.
    if (rule.fault === 'redirect') request.raw.url = withoutHop(request.url);
    else corruptAnswer(rule, reply, (wire) => sendWire(socket, wire, timers, reset));
    next();
  };

  app.addHook('onRequest', (request, reply, next) => {
    const settings = faultsOf(request);
    if (settings.faults.length === 0 && settings.delayMs === 0) return next();
    let chosen: RequestFault;
    try {
      const { method, url: target, headers } = request;
      chosen = chooseFault(settings, { method, target, userAgent: headers['user-agent'] }, remaining);
    } catch (error) {
      return next(error as Error);
    }
    const { waitMs, rule } = chosen;
    const proceed = () => (rule === undefined ? next() : applyRule(rule, request, reply, next));
    if (waitMs === 0) proceed();
    else timers.after(waitMs, proceed);
  });
  app.addHook('onClose', (_app, done) => {
    timers.cancelAll();
    done();
  });
}

/** Closes, resets or stalls the connection, or sends the banner of SSH, before the answer starts. Returns false when the rule has another effect. */
function breakConnection(rule: FaultRule, reply: FastifyReply, reset: () => void): boolean {
  const { socket } = reply.request.raw;
  const isBeforeHeaders =
    (rule.fault === 'reset' || rule.fault === 'stall') && (rule.at ?? 'before-headers') === 'before-headers';
  if (rule.fault !== 'close' && rule.fault !== 'not-http' && !isBeforeHeaders) return false;
  reply.hijack();
  if (rule.fault === 'close') socket.end();
  if (rule.fault === 'not-http') socket.end('SSH-2.0-OpenSSH_9.9\r\n');
  if (rule.fault === 'reset') reset();
  return true;
}

/** Delay between the last bytes and the reset: a reset discards bytes that have not arrived yet. */
const resetAfterMs = 20;

/** Writes an answer to a connection piece by piece; stops when the connection closes. */
function sendWire(socket: Socket, { pieces, everyMs, ending }: WireScript, timers: Timers, reset: Reset): void {
  const finish = () => {
    if (ending === 'end') socket.end();
    if (ending === 'reset') timers.after(resetAfterMs, () => reset(socket));
  };
  const write = (index: number): void => {
    if (socket.destroyed) return;
    const piece = pieces[index];
    if (piece === undefined) {
      finish();
      return;
    }
    socket.write(piece);
    if (everyMs === 0 || index + 1 === pieces.length) write(index + 1);
    else timers.after(everyMs, () => write(index + 1));
  };
  write(0);
}

type Timers = ReturnType<typeof createTimers>;

/** Timers that are cancelled together. */
function createTimers() {
  const pending = new Set<NodeJS.Timeout>();
  let isCancelled = false;
  return {
    after(milliseconds: number, work: () => void): void {
      if (isCancelled) return;
      const timer = setTimeout(() => {
        pending.delete(timer);
        work();
      }, milliseconds);
      pending.add(timer);
    },
    /** Cancels all pending work and ignores later calls of `after`. */
    cancelAll(): void {
      isCancelled = true;
      for (const timer of pending) clearTimeout(timer);
      pending.clear();
    },
  };
}
