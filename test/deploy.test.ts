import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../src/commands/registry.ts';
import { loadSettings } from '../src/settings/settings.ts';
import { execForm, readContainerfile, variablesOf } from './process/containerfile.ts';

const read = (name: string) => readFileSync(new URL(`../data/deploy/${name}`, import.meta.url), 'utf8');

/** The `KEY=VALUE` lines of a systemd unit, in order. */
function unitLines(name = 'loopscout.service'): [key: string, value: string][] {
  return read(name)
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
}

/** The instructions of the second stage of the container file, which becomes the image. */
const [, image = []] = readContainerfile();

/** After the running visits, the service still has to close its database and connections. */
const SECONDS_AFTER_VISITS = 10;

test('the LOOPSCOUT_ variables of the systemd unit and the container file are existing settings', () => {
  const unit = unitLines().filter(([key]) => key === 'Environment');
  const unitVariables = Object.fromEntries(unit.map(([, value]) => value.split('=') as [string, string]));
  for (const env of [unitVariables, variablesOf(image)]) {
    expect(Object.keys(env).filter((name) => name.startsWith('LOOPSCOUT_')).length).toBeGreaterThan(1);
    expect(() => loadSettings({ file: null, env })).not.toThrow();
  }
  // The calls above would throw for an unknown variable, as this one does.
  expect(() => loadSettings({ file: null, env: { LOOPSCOUT_DATABSE: 'x' } })).toThrow();
});

test('systemd waits until the shutdown is over, does not restart after a settings error, and isolates the service', () => {
  const unit = new Map(unitLines());
  const { service } = loadSettings({ file: null, env: {} });
  expect(Number(unit.get('TimeoutStopSec'))).toBeGreaterThan(service.shutdownSeconds + SECONDS_AFTER_VISITS);
  // The exit code after a settings error.
  expect(unit.get('RestartPreventExitStatus')).toBe('2');
  expect(unit.get('DynamicUser')).toBe('yes');
  expect(unit.get('ProtectSystem')).toBe('strict');
});

test('the worker unit runs an existing command, with the same isolation, restart and stop options as the service unit', () => {
  const worker = new Map(unitLines('loopscout-worker.service'));
  const command = /loopscout (\w+)/.exec(worker.get('ExecStart') ?? '')?.[1];
  expect(COMMANDS.map(({ name }) => name)).toContain(command);
  expect(worker.get('EnvironmentFile')).toBe('/etc/loopscout/worker.env');
  const differingKeys = ['Description', 'After', 'ExecStart', 'ExecReload', 'EnvironmentFile', 'Environment'];
  // Only the service stores data, so only the service has StateDirectory, StateDirectoryMode and WorkingDirectory.
  const commonLines = unitLines().filter(([key]) => !differingKeys.includes(key) && !/^State|^Working/.test(key));
  expect(commonLines).toContainEqual(['ProtectSystem', 'strict']);
  for (const [key, value] of commonLines) expect(worker.get(key), key).toBe(value);
});

test('the compose file runs existing commands with known settings, and publishes ports on the loopback address only', () => {
  // Every variable that an administrator must set, written ${NAME:?message}, gets the same value.
  const text = read('compose.yaml').replaceAll(/\$\{\w+:\?[^}]+\}/g, 'https://your.site/bot');
  const { services, volumes } = parse(text, { merge: true });
  expect(Object.keys(services)).toEqual(['postgres', 'service', 'worker']);
  const names = COMMANDS.map(({ name }) => name);
  const { service: defaults } = loadSettings({ file: null, env: {} });
  for (const name of ['service', 'worker']) {
    const { command, environment, read_only, cap_drop, stop_grace_period } = services[name];
    expect(names).toContain(command[0]);
    expect(() => loadSettings({ file: null, env: environment })).not.toThrow();
    // The password is one of the variables replaced above.
    expect(environment.LOOPSCOUT_ENGINE_URL).toBe('postgres://loopscout:https://your.site/bot@postgres/loopscout');
    expect([read_only, cap_drop]).toEqual([true, ['ALL']]);
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(defaults.shutdownSeconds + SECONDS_AFTER_VISITS);
  }
  const published = Object.values<{ ports?: string[] }>(services).flatMap(({ ports = [] }) => ports);
  expect(published.length).toBeGreaterThan(0);
  for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/);
  const used = Object.values<{ volumes?: string[] }>(services).flatMap((each) => each.volumes ?? []);
  expect(used.map((volume) => volume.split(':')[0]).sort()).toEqual(Object.keys(volumes).sort());
  // The service mounts exactly the volumes that the image declares.
  const declared = JSON.parse(image.find(({ name }) => name === 'VOLUME')?.text ?? '[]');
  expect(services.service.volumes.map((volume: string) => volume.split(':')[1])).toEqual(declared);
});

test('the container runs existing commands without a shell, as an unprivileged user, and has enough time to shut down', () => {
  // The user `nonroot` of distroless images.
  expect(image.find(({ name }) => name === 'USER')?.text).toBe('65532:65532');
  const names = COMMANDS.map(({ name }) => name);
  const entrypoint = execForm(image, 'ENTRYPOINT');
  const [health = '', ...healthArguments] = execForm(image, 'HEALTHCHECK').slice(entrypoint.length);
  expect([...entrypoint, health]).toEqual(execForm(image, 'HEALTHCHECK'));
  expect(names).toContain(health);
  expect(healthArguments).toEqual([]);
  expect(names).toContain(execForm(image, 'CMD')[0]);
  const { service } = loadSettings({ file: null, env: {} });
  expect(Number(/--stop-timeout (\d+)/.exec(read('Containerfile'))?.[1])).toBeGreaterThan(
    service.shutdownSeconds + SECONDS_AFTER_VISITS,
  );
});
