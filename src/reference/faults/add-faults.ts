import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { exposeHeaders } from '../server-identity.ts';
import { chooseRules, type FaultSource, type Meeting, type Remaining } from './choose-rules.ts';
import type { FaultRule } from './fault-rule.ts';
import { sendWire } from './send-wire.ts';
import { createWaits, spoilAnswer } from './spoil-answer.ts';
import { substituteOf, withoutHop } from './substitute.ts';
import type { Reset } from './wire.ts';

/** Finds the server that a request is for, with what is wrong with it. */
export type FaultsOf = (request: FastifyRequest) => FaultSource;

/**
 * Adds the hook that delays requests, and answers some of them wrongly or never: everything that goes wrong on purpose, the same
 * for one server and for a fleet. It ends when the app closes.
 */
export function addFaults(app: FastifyInstance, faultsOf: FaultsOf, reset: Reset): void {
  const waits = createWaits();
  const remaining: Remaining = new WeakMap();

  const meet = (rule: FaultRule, request: FastifyRequest, reply: FastifyReply, next: () => void) => {
    const { socket } = request.raw;
    if (breakOff(rule, reply, () => reset(socket))) return;
    const target = { host: request.headers.host ?? '', target: request.url };
    const substitute = substituteOf(rule, faultsOf(request), target);
    if (substitute !== undefined) {
      exposeHeaders(reply).code(substitute.status).headers(substitute.headers).send(substitute.body);
      return;
    }
    if (rule.fault === 'redirect') request.raw.url = withoutHop(request.url);
    else spoilAnswer(rule, reply, (wire) => sendWire(socket, wire, waits, reset));
    next();
  };

  app.addHook('onRequest', (request, reply, next) => {
    const source = faultsOf(request);
    if (source.faults.length === 0 && source.delayMs === 0) return next();
    let meeting: Meeting;
    try {
      meeting = chooseRules(source, request.method, request.url, remaining);
    } catch (error) {
      return next(error as Error);
    }
    const { waitMs, rule } = meeting;
    const go = () => (rule === undefined ? next() : meet(rule, request, reply, next));
    if (waitMs === 0) go();
    else waits.after(waitMs, go);
  });
  app.addHook('onClose', (_app, done) => {
    waits.end();
    done();
  });
}

/** Ends the exchange before an answer began, if the rule says so. */
function breakOff(rule: FaultRule, reply: FastifyReply, reset: () => void): boolean {
  const { socket } = reply.request.raw;
  const atOnce =
    (rule.fault === 'reset' || rule.fault === 'stall') && (rule.at ?? 'before-headers') === 'before-headers';
  if (rule.fault !== 'close' && rule.fault !== 'not-http' && !atOnce) return false;
  reply.hijack();
  if (rule.fault === 'close') socket.end();
  if (rule.fault === 'not-http') socket.end('SSH-2.0-OpenSSH_9.9\r\n');
  if (rule.fault === 'reset') reset();
  return true;
}
