import { describe, expect, test } from 'vitest';
import { loadSettings, readEngineUrl } from '../../src/settings/settings.ts';

const load = (flags: readonly string[], env: Record<string, string> = {}) =>
  loadSettings({ file: null, env, cwd: '/', flags });

describe('the URL of the job engine', () => {
  const url = 'postgres://loopscout@db.example/loopscout?sslmode=verify-full';
  const urlWithPassword = 'postgres://loopscout:s3cr3t@db.example/loopscout';

  test('is a setting, or LOOPSCOUT_ENGINE_URL, which has precedence and is not part of the settings', () => {
    const settings = load([`queue.engine=${url}`], { LOOPSCOUT_ENGINE_URL: urlWithPassword });
    expect(readEngineUrl(settings, {})).toBe(url);
    expect(readEngineUrl(settings, { LOOPSCOUT_ENGINE_URL: urlWithPassword })).toBe(urlWithPassword);
    expect(JSON.stringify(settings)).not.toContain('s3cr3t');
    expect(readEngineUrl(load([]), {})).toBeNull();
  });

  test.each([
    [`queue.engine=${urlWithPassword}`, /allowed: a postgres:\/\/ URL without a password/],
    ['queue.engine=postgres://db.example/loopscout?password=s3cr3t', /URL without a password/],
    ['queue.engine=postgres://loopscout:s3cr3t@db example', /URL without a password/],
    ['queue.engine=mysql://db.example', /a postgres:\/\/ URL/],
    [`queue.engin=${urlWithPassword}`, /did you mean queue.engine/],
  ])('is refused as %s, without its password in the message', (flag, message) => {
    expect(() => load([flag])).toThrow(message);
    expect(() => load([flag])).not.toThrow(/s3cr3t/);
  });
});
