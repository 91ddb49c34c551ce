import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { Actor, Message, NodeInfo, NodeInfoDiscovery, ResourceDescriptor } from '../resources.ts';
import { json, notFound } from './responses.ts';

const actor = { description: 'The actor.', content: { 'application/activity+json': { schema: Actor } } };

/** The paths of WebFinger and the actors. */
export function federationPaths(): ZodOpenApiPathsObject {
  return {
    '/.well-known/webfinger': {
      get: {
        operationId: 'getResource',
        tags: ['federation'],
        summary: 'Finds the actor of an account (RFC 7033). In the profile live, only while federation is on.',
        requestParams: {
          query: z.object({
            resource: z.string().meta({
              description: '`acct:NAME@HOST`. NAME is a username; or HOST again, for the server itself.',
            }),
          }),
        },
        responses: {
          '200': {
            description: 'The descriptor of the resource.',
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
    '/ap/inbox': { post: inbox('deliver', 'of the whole server') },
    '/ap/actor/inbox': { post: inbox('deliverToInstanceActor', 'of the actor of the server') },
    '/ap/users/{id}/inbox': {
      post: {
        ...inbox('deliverToActor', 'of a local account'),
        requestParams: { path: z.object({ id: z.string().meta({ description: 'Id of the account.' }) }) },
      },
    },
  };
}

function inbox(operationId: string, whose: string): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: ['federation'],
    summary: `The inbox ${whose}; deliveries are discarded. In the profile live, only while federation is on.`,
    responses: {
      '202': json(
        'The delivery has a signature, which is not verified.',
        z.object({ status: z.literal('accepted').meta({ description: 'Loops verifies the signature later.' }) }),
      ),
      '401': json(
        'The delivery has no signature, or one without `keyId` or `signature`.',
        z.object({ error: z.string().meta({ description: 'The reason.' }) }),
      ),
      '404': notFound,
    },
  };
}

const tags = ['server'];

/** The public paths of the server itself. */
export function serverPaths(): ZodOpenApiPathsObject {
  return {
    '/.well-known/nodeinfo': {
      get: {
        operationId: 'getNodeInfoDiscovery',
        tags,
        summary: 'The links to the NodeInfo documents. In the profile live, only while federation is on.',
        responses: { '200': json('The links.', NodeInfoDiscovery), '404': notFound },
      },
    },
    '/nodeinfo/2.0': { get: nodeInfo('2.0', 'In the profile live, only while federation is on.') },
    '/nodeinfo/2.1': { get: nodeInfo('2.1', 'Only in the profile live, and only while federation is on.') },
    '/robots.txt': {
      get: {
        operationId: 'getRobots',
        tags,
        summary: 'The rules for robots (RFC 9309).',
        responses: {
          '200': { description: 'The rules.', content: { 'text/plain': { schema: z.string() } } },
          '404': notFound,
        },
      },
    },
    '/media/avatars/{file}': { get: svgImage('getAvatar', 'The avatar of an account.') },
    '/media/videos/{file}': { get: mediaFile },
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

const image = svgImage(
  'getMedia',
  'The thumbnail of a video (`.svg`), or a short video (`.mp4`), which is the same for every id.',
);
const mp4 = { 'video/mp4': { schema: z.string().meta({ format: 'binary' }) } };
const mediaFile: ZodOpenApiOperationObject = {
  ...image,
  responses: {
    ...image.responses,
    '200': { description: 'The file.', content: { ...Object(image.responses['200']).content, ...mp4 } },
    '206': { description: 'The requested range of the video.', content: mp4 },
    '416': { description: 'The range is beyond the end of the video.' },
  },
};

function nodeInfo(version: string, when: string): ZodOpenApiOperationObject {
  return {
    operationId: `getNodeInfo${version.replace('.', '')}`,
    tags,
    summary: `The NodeInfo document, schema ${version}. ${when}`,
    responses: { '200': json('The document.', NodeInfo), '404': notFound },
  };
}

function svgImage(operationId: string, summary: string): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: ['media'],
    summary,
    requestParams: { path: z.object({ file: z.string().meta({ description: 'The id with the suffix `.svg`.' }) }) },
    responses: {
      '200': { description: 'An SVG image.', content: { 'image/svg+xml': { schema: z.string() } } },
      '404': notFound,
    },
  };
}
