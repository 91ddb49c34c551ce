import Fastify from 'fastify';
import { JsonFileError } from '../options/json-file.ts';
import type { FaultRule } from './fault-rule.ts';

/** A second server that changes the faults of a running one. */
export interface FaultControl extends AsyncDisposable {
  /** Base URL: `GET /faults`, `PUT /faults` with a list of rules, `DELETE /faults`. Each answers with the current rules. */
  readonly url: string;
}

/**
 * Listens on 127.0.0.1 only, and refuses requests whose Host is neither 127.0.0.1 nor localhost, so that no web page can change
 * the faults through a host name of its own that resolves to 127.0.0.1 (DNS rebinding).
 * @param port 0: any free port.
 * @throws when it cannot listen on the port (`EADDRINUSE`, `EACCES`).
 */
export async function startFaultControl(state: { faults: FaultRule[] }, port: number): Promise<FaultControl> {
  const app = Fastify({ forceCloseConnections: true });
  app.addHook('onRequest', async (request, reply) => {
    if (request.hostname === '127.0.0.1' || request.hostname === 'localhost') return;
    return reply.code(403).send({ message: 'Only requests to 127.0.0.1 or localhost are answered.' });
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof JsonFileError) {
      return reply.code(422).send({ message: 'The faults are invalid.', problems: error.problems });
    }
    return reply.code(error.statusCode ?? 500).send({ message: error.message });
  });
  app.get('/faults', () => state.faults);
  app.put<{ Body: FaultRule[] }>('/faults', ({ body }) => {
    state.faults = body;
    return state.faults;
  });
  app.delete('/faults', () => {
    state.faults = [];
    return state.faults;
  });
  const url = await app.listen({ host: '127.0.0.1', port });
  return { url, [Symbol.asyncDispose]: () => app.close() };
}
