import { expect, test } from 'vitest';
import { isJoinable, type Joinability, joinabilityOf } from '../../src/directory/joinability.ts';

const OPEN = { status: 'up', registration: { open: true, mode: 'open' }, flags: [], uptime: { month: 1 } } as const;

test.each<[what: string, change: object, joinability: Joinability, joinable: boolean]>([
  ['open, up and proven', {}, 'proven', true],
  ['open without a mode', { registration: { open: true, mode: null } }, 'proven', true],
  ['just reliable enough', { uptime: { month: 0.95 } }, 'proven', true],
  ['observed for too short a time', { uptime: { month: null } }, 'new', true],
  ['flagged for something else', { flags: ['crowded-domain'] }, 'proven', true],
  ['down', { status: 'down' }, 'down', false],
  ['closed', { registration: { open: false, mode: 'open' } }, 'closed', false],
  ['by invitation', { registration: { open: true, mode: 'invite' } }, 'approval', false],
  ['of unknown registration', { registration: { open: null, mode: null } }, 'registration-unknown', false],
  ['failed at the last visit', { flags: ['unconfirmed'] }, 'unconfirmed', false],
  ['outdated', { flags: ['outdated'] }, 'outdated', false],
  ['outdated and new', { flags: ['outdated'], uptime: { month: null } }, 'outdated', false],
  ['often down', { uptime: { month: 0.9499 } }, 'unreliable', false],
])('an instance that is %s', (_what, change, joinability, joinable) => {
  const instance = { ...OPEN, ...change } as unknown as Parameters<typeof joinabilityOf>[0];
  expect([joinabilityOf(instance), isJoinable(instance)]).toEqual([joinability, joinable]);
});
