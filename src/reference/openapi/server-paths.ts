import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { Actor, Message, NodeInfo, NodeInfoDiscovery, ResourceDescriptor } from '../resources.ts';
import { json, notFound } from './responses.ts';

const actor = { description: 'The actor.', content: { 'application/activity+json': { schema: Actor } } };

/** The paths by which other servers find the actors of this one. In the profile `live`, only while federation is on. */
export function federationPaths(): ZodOpenApiPathsObject {
  return {
    '/.well-known/webfinger': {
      get: {
        operationId: 'getResource',
        tags: ['federation'],
        summary: 'Where the actor of an account is (RFC 7033). In the profile live, only while federation is on.',
        requestParams: {
          query: z.object({
            resource: z.string().meta({
              description: '`acct:NAME@HOST`; with the host for the name, the server itself.',
            }),
          }),
        },
        responses: {
          '200': {
            description: 'What is known of it.',
            content: { 'application/jrd+json': { schema: ResourceDescriptor } },
          },
          '400': json('No resource is named, or more than one.', Message),
          '404': notFound,
        },
      },
    },
    '/ap/actor': {
      get: {
        operationId: 'getInstanceActor',
        tags: ['federation'],
        summary: 'The actor of the server itself. In the profile live, only while federation is on.',
        responses: { '200': actor, '404': notFound },
      },
    },
    '/ap/users/{id}': {
      get: {
        operationId: 'getActor',
        tags: ['federation'],
        summary: 'The actor of a local account. In the profile live, only while federation is on.',
        requestParams: { path: z.object({ id: z.string().meta({ description: 'Id of the account.' }) }) },
        responses: { '200': actor, '404': notFound },
      },
    },
  };
}

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
