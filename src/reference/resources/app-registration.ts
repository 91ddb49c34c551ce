import { z } from 'zod';

/** The app registration request body, specification section 4.3. */
export const AppRegistration = z
  .object({
    client_name: z.string().meta({ description: 'Display name of the application.' }),
    redirect_uris: z.union([z.string(), z.array(z.string())]).meta({
      description:
        'Where to redirect after authorization: one, several with line breaks between them, or a list. `urn:ietf:wg:oauth:2.0:oob` for out-of-band clients.',
    }),
    scopes: z.string().optional().meta({ description: 'Space-separated OAuth scopes.', default: 'read' }),
    website: z.string().optional().meta({ description: 'Application homepage URL.' }),
  })
  .meta({ id: 'AppRegistration' });
