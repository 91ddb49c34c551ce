import { z } from 'zod';
import { Account } from './account.ts';

/** What `GET /api/v1/account/info/self` answers, specification section 4, endpoint 5. */
export const AccountResponse = z.object({ data: Account }).meta({ id: 'AccountResponse' });
