import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Reads bodies of the type `multipart/form-data` like other forms: a repeated field becomes a list. A file is read as its text, because no
 * endpoint takes files.
 */
export function readMultipartForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const fields: Record<string, string | string[]> = Object.create(null);
      for (const [name, value] of await entriesOf(request.headers['content-type'] ?? '', body)) {
        const text = typeof value === 'string' ? value : await value.text();
        const earlier = fields[name];
        fields[name] = earlier === undefined ? text : [earlier, text].flat();
      }
      return fields;
    },
  );
}

async function entriesOf(type: string, body: Buffer) {
  try {
    return (await new Response(body, { headers: { 'content-type': type } }).formData()).entries();
  } catch (cause) {
    throw Object.assign(new Error('malformed multipart', { cause }), { code: 'MALFORMED_MULTIPART', statusCode: 400 });
  }
}
