import { openData } from '../../../src/reference/data/open-data.ts';

/**
 * `node write-until.ts FILE START END`: repeats writes to every table between two times (milliseconds since the epoch).
 * Prints the number of rounds and the distinct errors as JSON.
 */
const [file = '', startMs = '0', endMs = '0'] = process.argv.slice(2);
const errors = new Set<string>();
let rounds = 0;

using data = openData({ database: file, limits: { apps: 20, codes: 3, tokens: 3, sessions: 3 } });
const [{ id: accountId } = { id: '' }] = data.accounts.all();
const newApp = { name: 'App', website: '', redirectUris: ['https://a.example/'], scopes: ['read'] };
const { app } = data.apps.register(newApp, 0);
data.apps.touch(app.id);
const grant = { appId: app.id, accountId, redirectUri: 'https://a.example/', scopes: ['read'], challenge: null };
const token = { ...grant, codeHash: null, isPublic: false, createdAt: 0, expiresAt: null };
const writes: Record<string, () => unknown> = {
  register: () => data.apps.register(newApp, 0),
  code: () => data.codes.issue(grant, 1),
  token: () => data.tokens.issue(token),
  session: () => data.sessions.start(accountId, 1),
  account: () => data.accounts.update(accountId, { follower_count: 1 }),
  video: () => data.videos.update(data.videos.all()[0]?.id ?? '', { likes: 1 }),
  transaction: () =>
    data.transaction(() => data.setSetting('rounds', String(Number(data.setting('rounds') ?? '0') + 1))),
};

// Waits without sleeping, so that both processes start at exactly the same time.
while (Date.now() < Number(startMs));
for (; Date.now() < Number(endMs); rounds += 1) {
  for (const [name, write] of Object.entries(writes)) {
    try {
      write();
    } catch (error) {
      errors.add(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
process.stdout.write(JSON.stringify({ rounds, errors: [...errors].sort() }));
