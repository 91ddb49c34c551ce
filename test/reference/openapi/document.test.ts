import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/reference/openapi/document.ts';
import { createReferenceServer } from '../../../src/reference/server.ts';
import { documentedOperations, routesOf } from './routes.ts';

const url = 'https://loops.example';

describe('the OpenAPI document', () => {
  it.each(['spec', 'live'] as const)('is valid OpenAPI 3.1 in the profile %s', async (profile) => {
    const validator = new Validator();
    const result = await validator.validate(openApiDocument({ profile, url }));
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has, in one profile or both, every route of the server, and no other', async () => {
    await using server = await createReferenceServer();
    await server.app.ready();
    const routes = routesOf(server.app);
    expect(routes).toContain('GET /api/v1/video/{video_id}');
    const documented = (['spec', 'live'] as const).flatMap((profile) =>
      documentedOperations(openApiDocument({ profile, url })),
    );
    expect([...new Set(documented)].toSorted()).toEqual(routes);
  });

  it('is served at /openapi.json for the current URL and profile of the server', async () => {
    await using server = await createReferenceServer();
    const read = async () => (await fetch(`${server.url}/openapi.json`)).json();
    expect(await read()).toEqual(openApiDocument({ profile: 'spec', url: server.url }));
    server.state.profile = 'live';
    server.state.url = url;
    expect(await read()).toEqual(openApiDocument({ profile: 'live', url }));
  });

  it('describes every field of every resource, except groups and lists of fields', () => {
    const described: string[] = [];
    const undescribed: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, part] of Object.entries(value)) {
        if (key === 'properties') {
          for (const [name, field] of Object.entries(part as Record<string, Record<string, unknown>>)) {
            const isGroupOrList = field.type === 'object' || '$ref' in field || field.type === 'array';
            if (field.description !== undefined) described.push(`${path}.${name}`);
            else if (!isGroupOrList) undescribed.push(`${path}.${name}`);
          }
        }
        visit(part, `${path}.${key}`);
      }
    };
    visit([openApiDocument({ profile: 'spec', url }), openApiDocument({ profile: 'live', url })], '');
    expect(undescribed).toEqual([]);
    expect(described).toContain('.0.components.schemas.Video.caption');
  });

  it('names the statuses of the answers to requests that reach no endpoint', () => {
    const { info } = openApiDocument({ profile: 'spec', url });
    for (const status of ['400', '405', '408', '417', '431']) {
      expect(info).toMatchObject({ description: expect.stringContaining(status) });
    }
  });

  it('names the units of the limits, and in the profile live hasKlipy instead of hasGifProvider', () => {
    const text = JSON.stringify(openApiDocument({ profile: 'live', url }));
    for (const unit of ['upload size in megabytes', 'video length in seconds', 'bio length in characters']) {
      expect(text).toContain(unit);
    }
    expect(text).toContain('hasKlipy');
    expect(text).not.toContain('hasGifProvider');
  });

  it('has unique names for its operations', () => {
    const text = JSON.stringify(openApiDocument({ profile: 'spec', url }));
    const names = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    // The specification alone has nine endpoints.
    expect(names.length).toBeGreaterThan(9);
  });
});
