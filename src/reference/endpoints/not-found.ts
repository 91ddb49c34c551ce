import { webAppPage } from '../web-app-page.ts';
import type { Endpoint } from './endpoint.ts';

const apiPath = /^\/(?:api|oauth|nodeinfo|\.well-known)\/|^\/robots\.txt$/;

/** Whatever has no route: 404 as JSON; in the profile `live` the web app's page with status 200, but for the API. */
export const notFound: Endpoint = (app, stateOf) => {
  app.setNotFoundHandler(async (request, reply) => {
    const { profile, config } = stateOf(request);
    if (profile === 'live' && !apiPath.test(request.url)) {
      return reply.code(200).type('text/html; charset=utf-8').send(webAppPage(config.app.name));
    }
    return reply.code(404).send({ message: 'Not Found.' });
  });
};
