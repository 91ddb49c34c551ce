import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { StoredAccount } from '../data/accounts.ts';
import {
  type AuthorizationOutcome,
  type AuthorizationRequest,
  rawQueryOf,
  validateAuthorization,
} from '../oauth/authorization-request.ts';
import { errorPage } from '../pages/authorization-pages.ts';
import { pageHeaders } from '../pages/page.ts';
import { serverName } from '../resources.ts';
import type { ReferenceState } from '../state.ts';
import { answerAtOnce, handleAction, sendPage, showConsent, showFault, showSignIn } from './authorize-answers.ts';
import { isCrossSite, openConsentSession } from './consent-session.ts';
import type { Endpoint, StateOf } from './endpoint.ts';

/**
 * `GET /oauth/authorize`, endpoint 1 of the specification, and the forms of its pages, which post to the same URL. Every request
 * has the authorization request in its query, which is validated each time and therefore need not be stored.
 */
export const authorizeEndpoint: Endpoint = (app, stateOf) => {
  app.register(async (pages) => {
    await pages.register(helmet, pageHeaders);
    await pages.register(cookie);
    pages.removeContentTypeParser(['application/json', 'multipart/form-data']);
    pages.addHook('onRequest', (_request, reply, next) => {
      reply.header('cache-control', 'no-store');
      next();
    });
    addErrorPages(pages, stateOf);

    pages.get('/oauth/authorize', (request, reply) => {
      const state = stateOf(request);
      const outcome = validate(request.url, state);
      if (outcome.kind === 'refused') return showRefusal(outcome, reply, state);
      const approver = state.autoApprove === null ? undefined : state.data.accounts.findByUsername(state.autoApprove);
      if (approver !== undefined) return answerAtOnce(reply, state, outcome, approver);
      const session = openConsentSession(request, reply, state);
      if (session.account === undefined) return showSignIn(reply, session, outcome.request);
      if (outcome.kind === 'faulty') return showFault(reply, session, outcome);
      if (remembersConsent(state, outcome.request, session.account)) {
        return answerAtOnce(reply, state, outcome, session.account);
      }
      return showConsent(reply, session, outcome.request, session.account);
    });

    pages.post('/oauth/authorize', (request, reply) => {
      const state = stateOf(request);
      const session = openConsentSession(request, reply, state);
      const fields = new Map<string, unknown>(Object.entries(request.body ?? {}));
      const field = (name: string) => String(fields.get(name) ?? '');
      const purpose = field('action') === 'sign-in' ? 'sign-in' : 'consent';
      if (isCrossSite(request.headers) || !session.isOwnForm(purpose, field('token'))) {
        return sendPage(
          reply,
          403,
          errorPage({
            server: serverName(state.config),
            title: 'This form is out of date',
            reason: 'It was not made for you, was opened too long ago, or your browser does not keep cookies.',
            retry: session.rawQuery,
          }),
        );
      }
      const outcome = validate(request.url, state);
      if (outcome.kind === 'refused') return showRefusal(outcome, reply, state);
      return handleAction(reply, session, outcome, field);
    });
  });
};

function validate(url: string, { data, profile }: ReferenceState): AuthorizationOutcome {
  return validateAuthorization(rawQueryOf(url), profile, (clientId) => data.apps.find(clientId));
}

/** Whether the user need not be asked: live servers remember a consent for as long as the app has a token with these scopes. */
function remembersConsent(
  { profile, data, now }: ReferenceState,
  { app, scopes }: AuthorizationRequest,
  account: StoredAccount,
): boolean {
  return profile === 'live' && data.tokens.hasGranted(app.id, account.id, scopes, now());
}

/** Shows the error to the user; the client gets no redirect. */
function showRefusal(
  { reason, code }: Extract<AuthorizationOutcome, { kind: 'refused' }>,
  reply: FastifyReply,
  state: ReferenceState,
): FastifyReply {
  const page = errorPage({
    server: serverName(state.config),
    title: 'This request cannot continue',
    reason,
    code,
  });
  return sendPage(reply, 400, page);
}

/** Shows errors of Fastify, such as a body that is too large, as pages. */
function addErrorPages(pages: FastifyInstance, stateOf: StateOf): void {
  pages.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode >= 500) throw error;
    const page = errorPage({
      server: serverName(stateOf(request).config),
      title: 'This request cannot continue',
      reason: 'The form that was sent is malformed.',
    });
    return sendPage(reply, statusCode, page);
  });
}
