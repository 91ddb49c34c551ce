import { z } from 'zod';

/** The JSON Resource Descriptor that WebFinger answers with (RFC 7033 section 4.4). */
export const ResourceDescriptor = z
  .object({
    subject: z.string().meta({ description: 'The account, as this server writes it: `acct:NAME@HOST`.' }),
    aliases: z.array(z.string()).meta({ description: 'Other addresses of the same.' }),
    links: z.array(
      z.object({
        rel: z.string().meta({ description: '`self`: the actor. `http://webfinger.net/rel/profile-page`: a page.' }),
        type: z.string().meta({ description: 'Content type of what is there.' }),
        href: z.string().meta({ description: 'Where it is.' }),
      }),
    ),
  })
  .meta({ id: 'ResourceDescriptor' });
export type ResourceDescriptor = z.infer<typeof ResourceDescriptor>;
