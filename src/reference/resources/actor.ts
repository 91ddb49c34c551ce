import { z } from 'zod';

/** An actor of ActivityPub (section 4.1), with the key of the W3C security vocabulary that its server signs with. */
export const Actor = z
  .object({
    '@context': z.array(z.string()).meta({ description: 'The vocabularies: ActivityStreams, and that of the key.' }),
    id: z.string().meta({ description: 'Where this document is.' }),
    type: z
      .enum(['Application', 'Person'])
      .meta({ description: '`Application`: the server itself. `Person`: an account.' }),
    preferredUsername: z.string().meta({ description: 'The host of the server, or the username of the account.' }),
    name: z.string().meta({ description: 'Display name.' }),
    url: z.string().meta({ description: 'The page of the server, or of the account.' }),
    inbox: z.string().meta({ description: 'Where others would deliver to. Not served here.' }),
    outbox: z.string().meta({ description: 'Where its activities would be. Not served here.' }),
    endpoints: z.object({
      sharedInbox: z.string().meta({ description: 'The inbox of the whole server. Not served here.' }),
    }),
    manuallyApprovesFollowers: z.boolean().meta({ description: 'Whether follow requests need approval.' }),
    publicKey: z.object({
      id: z.string().meta({ description: 'What a signature names the key by.' }),
      owner: z.string().meta({ description: 'Id of the actor.' }),
      publicKeyPem: z.string().meta({ description: 'RSA key, PEM.' }),
    }),
  })
  .meta({ id: 'Actor' });
export type Actor = z.infer<typeof Actor>;
