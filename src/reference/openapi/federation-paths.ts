import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { Actor, Message, ResourceDescriptor } from '../resources/resources.ts';
import { json, notFound } from './responses.ts';

const tags = ['federation'];
const actor = { description: 'The actor.', content: { 'application/activity+json': { schema: Actor } } };

/** The paths by which other servers find the actors of this one. In the profile `live`, only while federation is on. */
export function federationPaths(): ZodOpenApiPathsObject {
  return {
    '/.well-known/webfinger': {
      get: {
        operationId: 'getResource',
        tags,
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
        tags,
        summary: 'The actor of the server itself. In the profile live, only while federation is on.',
        responses: { '200': actor, '404': notFound },
      },
    },
    '/ap/users/{id}': {
      get: {
        operationId: 'getActor',
        tags,
        summary: 'The actor of a local account. In the profile live, only while federation is on.',
        requestParams: { path: z.object({ id: z.string().meta({ description: 'Id of the account.' }) }) },
        responses: { '200': actor, '404': notFound },
      },
    },
  };
}
