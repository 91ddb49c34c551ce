import { type Endpoint, onlyIn } from './endpoint.ts';
import { recordNotFound } from './video.ts';

const titles: Readonly<Record<string, string>> = { about: 'About', privacy: 'Privacy', terms: 'Terms' };
const createdAt = '2025-01-01T00:00:00.000000Z';

/** `GET /ping`, and the texts of pages that an app shows, on live servers. */
export const appPageEndpoints: Endpoint = (app, stateOf) => {
  app.get('/ping', onlyIn('live'), (_request, reply) => reply.type('text/plain').send('pong!'));

  app.get<{ Querystring: { slug?: string } }>('/api/v1/page/content', onlyIn('live'), (request, reply) => {
    const { slug = '' } = request.query;
    if (slug === '') {
      const message = 'The slug field is required.';
      return reply.code(422).send({ message, errors: { slug: [message] } });
    }
    const title = Object.hasOwn(titles, slug) ? titles[slug] : undefined;
    if (title === undefined) return reply.code(404).send(recordNotFound);
    const { description } = stateOf(request).config.app;
    const content = `<p>${description.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)}</p>`;
    return reply.send({ data: { title, content, slug, created_at: createdAt, updated_at: createdAt } });
  });
};
