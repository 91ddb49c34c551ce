import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AuthorizationOutcome, judgeAuthorization } from '../oauth/authorization-request.ts';
import { isForeign } from '../oauth/foreign-request.ts';
import { rawQueryOf } from '../oauth/raw-query.ts';
import { errorPage } from '../pages/error-page.ts';
import { pageHeaders } from '../pages/page-headers.ts';
import { serverName } from '../server-name.ts';
import type { ReferenceState } from '../state.ts';
import { answerClient, decide, sendPage, showConsent, showSignIn } from './authorize-answers.ts';
import { readConsentVisit } from './consent-visit.ts';
import type { Endpoint, StateOf } from './endpoint.ts';

/**
 * `GET /oauth/authorize`, endpoint 1 of the specification, and the forms of its pages, which post to the same address. Each request
 * carries the authorization request in its query and is judged anew: nothing about it is remembered in between.
 */
export const authorizeEndpoint: Endpoint = (app, stateOf) => {
  app.register(async (pages) => {
    await pages.register(helmet, pageHeaders);
    await pages.register(cookie);
    pages.removeContentTypeParser('application/json');
    pages.addHook('onRequest', (_request, reply, next) => {
      reply.header('cache-control', 'no-store');
      next();
    });
    addErrorPages(pages, stateOf);

    pages.get('/oauth/authorize', (request, reply) => {
      const state = stateOf(request);
      const outcome = judge(request.url, state);
      if (outcome.kind !== 'valid') return turnAway(outcome, reply, state);
      const visit = readConsentVisit(request, reply, state);
      return visit.account === undefined
        ? showSignIn(reply, visit, outcome.request)
        : showConsent(reply, visit, outcome.request, visit.account);
    });

    pages.post('/oauth/authorize', (request, reply) => {
      const state = stateOf(request);
      const visit = readConsentVisit(request, reply, state);
      const fields = new Map<string, unknown>(Object.entries(request.body ?? {}));
      const text = (name: string) => String(fields.get(name) ?? '');
      const purpose = text('action') === 'sign-in' ? 'sign-in' : 'consent';
      if (isForeign(request.headers) || !visit.isOwnForm(purpose, text('token'))) {
        return sendPage(
          reply,
          403,
          errorPage({
            server: serverName(state.config),
            title: 'This form is out of date',
            reason: 'It was not made for you, was opened too long ago, or your browser does not keep cookies.',
            retry: visit.rawQuery,
          }),
        );
      }
      const outcome = judge(request.url, state);
      if (outcome.kind !== 'valid') return turnAway(outcome, reply, state);
      return decide(reply, visit, outcome.request, text);
    });
  });
};

function judge(url: string, { data }: ReferenceState): AuthorizationOutcome {
  return judgeAuthorization(rawQueryOf(url), (clientId) => data.apps.find(clientId));
}

/** Tells the client what is wrong, or the user, when it is not certain who the client is. */
function turnAway(
  outcome: Exclude<AuthorizationOutcome, { kind: 'valid' }>,
  reply: FastifyReply,
  state: ReferenceState,
): FastifyReply {
  if (outcome.kind === 'faulty') return answerClient(reply, state, outcome.to, outcome.error);
  const page = errorPage({
    server: serverName(state.config),
    title: 'This request cannot go on',
    reason: outcome.reason,
  });
  return sendPage(reply, 400, page);
}

/** Whatever Fastify refuses, such as a body that is too large, is a page here too. */
function addErrorPages(pages: FastifyInstance, stateOf: StateOf): void {
  pages.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode >= 500) throw error;
    const page = errorPage({
      server: serverName(stateOf(request).config),
      title: 'This request cannot go on',
      reason: 'The form that was sent is malformed.',
    });
    return sendPage(reply, statusCode, page);
  });
}
