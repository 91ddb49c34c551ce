import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { NodeInfo, NodeInfoDiscovery } from '../resources/resources.ts';
import { json, notFound } from './responses.ts';

const tags = ['server'];

/** The paths by which a server is found and looked at from outside. */
export function serverPaths(): ZodOpenApiPathsObject {
  return {
    '/.well-known/nodeinfo': {
      get: {
        operationId: 'getNodeInfoDiscovery',
        tags,
        summary: 'Where the NodeInfo documents are. In the profile live, only while federation is on.',
        responses: { '200': json('The links.', NodeInfoDiscovery), '404': notFound },
      },
    },
    '/nodeinfo/2.0': { get: nodeInfo('2.0', 'In the profile live, only while federation is on.') },
    '/nodeinfo/2.1': { get: nodeInfo('2.1', 'In the profile live alone, and only while federation is on.') },
    '/robots.txt': {
      get: {
        operationId: 'getRobots',
        tags,
        summary: 'What robots may ask for (RFC 9309).',
        responses: {
          '200': { description: 'The rules.', content: { 'text/plain': { schema: z.string() } } },
          '404': notFound,
        },
      },
    },
    '/media/avatars/{file}': { get: drawing('getAvatar', 'The avatar of an account.') },
    '/media/videos/{file}': { get: drawing('getThumbnail', 'The thumbnail of a video. There are no video files.') },
    '/openapi.json': {
      get: {
        operationId: 'getOpenApi',
        tags,
        summary: 'This document.',
        responses: {
          '200': json(
            'The document.',
            z.looseObject({ openapi: z.string().meta({ description: 'Version of OpenAPI.' }) }),
          ),
        },
      },
    },
  };
}

function nodeInfo(version: string, when: string): ZodOpenApiOperationObject {
  return {
    operationId: `getNodeInfo${version.replace('.', '')}`,
    tags,
    summary: `The NodeInfo document, schema ${version}. ${when}`,
    responses: { '200': json('The document.', NodeInfo), '404': notFound },
  };
}

function drawing(operationId: string, summary: string): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: ['media'],
    summary,
    requestParams: { path: z.object({ file: z.string().meta({ description: 'The id, then `.svg`.' }) }) },
    responses: {
      '200': { description: 'A drawing.', content: { 'image/svg+xml': { schema: z.string() } } },
      '404': notFound,
    },
  };
}
