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
  throw new Error('The file was accepted.');
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

  it('trusts only the built-in root certificates without a file', async () => {
    const server = await serveTls((_request, response) => response.end('{}'));
    const result = await openClient({ secureContext: createTlsContext(null) }).get(urlOf(server), { accept: '*/*' });
    expect(result).toMatchObject({ kind: 'failure', failure: 'tls-untrusted' });
  });

  it.each([
    ['does not exist', () => join(folder, 'nowhere.pem'), 'cannot be read (ENOENT)'],
    ['is a folder', () => folder, 'cannot be read (EISDIR)'],
    ['is empty', () => fileWith('empty.pem', ''), 'holds no PEM certificate'],
    [
      'contains only a key',
      () => fileWith('key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'),
      'holds no PEM certificate',
    ],
    [
      'contains an invalid certificate',
      () => fileWith('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      'holds a certificate that cannot be read',
    ],
    [
      'contains an invalid certificate after a valid one',
      () =>
        fileWith('half.pem', `${certificates.authority}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`),
      'holds a certificate that cannot be read',
    ],
  ])('throws one sentence with the problem and the cure if the file %s', (_what, make, problem) => {
    const path = make();
    expect(problemWith(path)).toBe(
      `network.caFile ${path} ${problem}: name a readable PEM file with certificates, or null.`,
    );
  });
});
