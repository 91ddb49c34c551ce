import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CaFileError, createTlsContext } from '../../src/http/tls-context.ts';
import { certificates, openClient, serveTls, urlOf } from './loopback.ts';

const folder = mkdtempSync(join(tmpdir(), 'loopscout-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function problemWith(caFile: string): string {
  try {
    createTlsContext(caFile);
  } catch (error) {
    expect(error).toBeInstanceOf(CaFileError);
    expect(error).toMatchObject({ kind: 'setting' });
    return (error as Error).message;
  }
  throw new Error('it was taken');
}

describe('createTlsContext', () => {
  it('trusts the authorities of the file', async () => {
    const server = await serveTls((_request, response) => response.end('{}'));
    const secureContext = createTlsContext(fileWith('ca.pem', certificates.authority));
    expect(await openClient({ secureContext }).get(urlOf(server), { accept: '*/*' })).toMatchObject({
      kind: 'answer',
      status: 200,
    });
  });

  it('trusts only the roots without a file', async () => {
    const server = await serveTls((_request, response) => response.end('{}'));
    const result = await openClient({ secureContext: createTlsContext(null) }).get(urlOf(server), { accept: '*/*' });
    expect(result).toMatchObject({ kind: 'failure', failure: 'tls-untrusted' });
  });

  it.each([
    ['is not there', () => join(folder, 'nowhere.pem'), 'cannot be read (ENOENT)'],
    ['is a folder', () => folder, 'cannot be read (EISDIR)'],
    ['is empty', () => fileWith('empty.pem', ''), 'holds no PEM certificate'],
    [
      'holds only a key',
      () => fileWith('key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'),
      'holds no PEM certificate',
    ],
    [
      'holds a broken certificate',
      () => fileWith('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      'holds a certificate that cannot be read',
    ],
    [
      'holds a broken certificate after a good one',
      () =>
        fileWith('half.pem', `${certificates.authority}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`),
      'holds a certificate that cannot be read',
    ],
  ])('says in one sentence with the cure that a file %s', (_what, make, problem) => {
    const path = make();
    expect(problemWith(path)).toBe(
      `network.caFile ${path} ${problem}: name a readable PEM file with certificates, or null.`,
    );
  });
});
