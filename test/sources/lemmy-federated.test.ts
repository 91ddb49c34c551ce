import { describe, expect, it } from 'vitest';
import { readWeb } from './read-web.ts';
import { serveLemmy } from './servers/lemmy.ts';

const read = (url: string) => readWeb({ type: 'lemmy-federated', url });

describe('lemmy-federated', () => {
  it('reads linked servers with their software, but not blocked ones', async () => {
    const { url } = await serveLemmy({ linked: ['a.example', 'b.example'], blocked: ['bad.example'] });
    const { domains, end } = await read(url);
    expect(domains).toEqual(['a.example', 'b.example lemmy']);
    expect(end.outcome).toBe('complete');
  });

  it('reads the plain host names of Lemmy 0.17', async () => {
    const { url } = await serveLemmy({ linked: ['a.example', 'B.example'], blocked: ['bad.example'], form: '0.17' });
    expect((await read(url)).domains).toEqual(['a.example', 'b.example']);
  });

  it('reads the list of PieFed, which has another path', async () => {
    const server = await serveLemmy({ linked: ['a.example', 'b.example'], software: 'piefed' });
    expect(await read(server.url)).toMatchObject({
      domains: ['a.example', 'b.example lemmy'],
      end: { outcome: 'complete' },
    });
    expect(server.paths()).toEqual(['/api/v3/federated_instances', '/api/alpha/federated_instances']);
  });

  it('fails for a server that does not federate, and describes its document', async () => {
    const { url } = await serveLemmy({ linked: [], form: 'no-federation' });
    await expect(read(url)).rejects.toThrow(
      'answers with an object with the keys "federated_instances" and without a list at "federated_instances.linked"; check that',
    );
  });
});
