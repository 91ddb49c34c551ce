import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AuthorizationOutcome, judgeAuthorization, rawQueryOf } from '../oauth/authorization-request.ts';
import { errorPage } from '../pages/authorization-pages.ts';
import { pageHeaders } from '../pages/page.ts';
import type { ReferenceState } from '../state.ts';
import { serverName } from '../web-app.ts';
import { decide, sendPage, showConsent, showFault, showSignIn } from './authorize-answers.ts';
import { isForeign, readConsentVisit } from './consent-session.ts';
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
      if (outcome.kind === 'refused') return turnAway(outcome, reply, state);
      const visit = readConsentVisit(request, reply, state);
      if (visit.account === undefined) return showSignIn(reply, visit, outcome.request);
      if (outcome.kind === 'faulty') return showFault(reply, visit, outcome);
      return showConsent(reply, visit, outcome.request, visit.account);
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
      if (outcome.kind === 'refused') return turnAway(outcome, reply, state);
      return decide(reply, visit, outcome, text);
    });
  });
};

function judge(url: string, { data }: ReferenceState): AuthorizationOutcome {
  return judgeAuthorization(rawQueryOf(url), (clientId) => data.apps.find(clientId));
}

/** Tells the user alone what is wrong: nobody can be redirected. */
function turnAway(
  { reason, code }: Extract<AuthorizationOutcome, { kind: 'refused' }>,
  reply: FastifyReply,
  state: ReferenceState,
): FastifyReply {
  const page = errorPage({
    server: serverName(state.config),
    title: 'This request cannot go on',
    reason,
    ...(code === undefined ? {} : { code }),
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
