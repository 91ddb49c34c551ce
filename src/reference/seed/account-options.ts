import { z } from 'zod';
import { Account } from '../resources/account.ts';

/**
 * An account that a server is to have: one of the seeded ones by its username, with changes, or a new one. What is left out
 * stays, or is that of a plain local account.
 */
export const AccountOptions = z.strictObject({
  ...Account.omit({ is_owner: true, is_blocking: true }).partial().shape,
  username: Account.shape.username,
  password: z.string().min(1).optional().meta({ description: 'Without one nobody can sign in to a new account.' }),
});
export type AccountOptions = z.infer<typeof AccountOptions>;
