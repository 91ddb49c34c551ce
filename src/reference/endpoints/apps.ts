import { readAppRegistration } from '../oauth/app-registration.ts';
import { forbidStoring } from '../oauth/oauth-error.ts';
import type { AppRecord, LiveAppRecord, ValidationError } from '../resources.ts';
import type { Endpoint } from './endpoint.ts';

/** `POST /api/v1/apps`, endpoint 4 of the specification: JSON or a form. */
export const appsEndpoint: Endpoint = (app, stateOf) => {
  app.post('/api/v1/apps', (request, reply) => {
    forbidStoring(reply);
    const { data, now, profile } = stateOf(request);
    const registration = readAppRegistration(request.body, profile);
    if ('errors' in registration) {
      const [first = [], ...others] = Object.values(registration.errors);
      const more =
        others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'error' : 'errors'})`;
      const answer = { message: `${first.join(' ')}${more}`, errors: registration.errors };
      return reply.code(422).send(answer satisfies ValidationError);
    }
    const { app: stored, secret } = data.apps.register(registration.app, Math.floor(now()));
    if (profile === 'live') {
      const record: LiveAppRecord = {
        client_id: stored.clientId,
        client_name: stored.name,
        client_secret: secret,
        redirect_uris: [...stored.redirectUris],
        vapid_key: null,
      };
      return reply.send(record);
    }
    const record: AppRecord = {
      id: String(stored.id),
      name: stored.name,
      website: stored.website,
      redirect_uri: stored.redirectUris.join('\n'),
      client_id: stored.clientId,
      client_secret: secret,
    };
    return reply.send(record);
  });
};
