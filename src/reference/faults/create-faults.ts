import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseRules, type FaultSource, type Remaining } from './choose-rules.ts';
import type { FaultRule } from './fault-rule.ts';
import type { Reset } from './raw-connections.ts';
import { sendWire } from './send-wire.ts';
import { spoilBody } from './spoil-body.ts';
import { substituteOf, withoutHop } from './substitute.ts';
import { createWaits } from './waits.ts';
import { wireOf } from './wire.ts';

/** Finds the server that a request is for, with what is wrong with it. */
export type FaultsOf = (request: FastifyRequest) => FaultSource;

const nothing = Buffer.alloc(0);

/** The two places where something goes wrong. */
export interface Faults {
  /** Adds the hook that delays requests and answers some of them wrongly, or never. */
  meetRequests(app: FastifyInstance): void;
  /** Adds the hook that spoils answers; it should be the last that sees them. */
  meetAnswers(app: FastifyInstance): void;
}

/** Everything that goes wrong on purpose, the same for one server and for a fleet. It ends when the app closes. */
export function createFaults(faultsOf: FaultsOf, reset: Reset): Faults {
  const waits = createWaits();
  const remaining: Remaining = new WeakMap();
  /** What is wrong with the answers still to come. */
  const rules = new WeakMap<FastifyRequest, FaultRule>();

  const meet = (rule: FaultRule, request: FastifyRequest, reply: FastifyReply, next: () => void) => {
    const { socket } = request.raw;
    if (breakOff(rule, reply, () => reset(socket))) return;
    const target = { host: request.headers.host ?? '', target: request.url };
    const substitute = substituteOf(rule, faultsOf(request), target);
    if (substitute !== undefined) {
      reply.code(substitute.status).headers(substitute.headers).send(substitute.body);
      return;
    }
    if (rule.fault === 'redirect') request.raw.url = withoutHop(request.url);
    else rules.set(request, rule);
    next();
  };

  return {
    meetRequests(app) {
      app.addHook('onRequest', (request, reply, next) => {
        const source = faultsOf(request);
        if (source.faults.length === 0 && source.delayMs === 0) return next();
        const { waitMs, rule } = chooseRules(source, request.method, request.url, remaining);
        const go = () => (rule === undefined ? next() : meet(rule, request, reply, next));
        if (waitMs === 0) go();
        else waits.after(waitMs, go);
      });
      app.addHook('onClose', (_app, done) => {
        waits.end();
        done();
      });
    },

    meetAnswers(app) {
      const spoil = (instance: FastifyInstance, _options: object, registered: () => void) => {
        instance.addHook('onSend', (request, reply, payload, done) => {
          const rule = rules.get(request);
          const body = rule === undefined ? undefined : bytesOf(payload);
          if (rule === undefined || body === undefined) return done(null, payload);
          rules.delete(request);
          const headers = reply.getHeaders();
          const spoiled = spoilBody(rule, { headers: {}, body });
          if (spoiled !== undefined) {
            reply.headers(spoiled.headers).removeHeader('content-length');
            return done(null, spoiled.body);
          }
          // The answer to HEAD has no body to spoil.
          const wire = wireOf(rule, {
            status: reply.statusCode,
            headers: headers as OutgoingHttpHeaders,
            body: request.method === 'HEAD' ? nothing : body,
          });
          if (wire === undefined) return done(null, payload);
          reply.hijack();
          sendWire(request.raw.socket, wire, waits, reset);
        });
        registered();
      };
      // Not in a scope of its own: it is for every route.
      app.register(Object.assign(spoil, { [Symbol.for('skip-override')]: true }));
    },
  };
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

/** Undefined for a stream, which no endpoint sends. */
function bytesOf(payload: unknown): Buffer | undefined {
  if (payload === null || payload === undefined) return nothing;
  if (typeof payload === 'string') return Buffer.from(payload);
  return Buffer.isBuffer(payload) ? payload : undefined;
}
