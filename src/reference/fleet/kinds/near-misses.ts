import {
  configPath,
  type Expectation,
  type HostContext,
  type Kind,
  noSoftware,
  otherByConfig,
  otherByNodeInfo,
  type Site,
} from '../kind.ts';
import { json, nodeInfo, nodeInfoPages, otherSite } from '../site.ts';

/** A server with this config and without NodeInfo. */
function configOnly(document: unknown): (host: HostContext) => Site {
  return () => ({ pages: { [configPath]: json(document) } });
}

/** A server whose config is JSON that names no software. */
function configWithoutSoftware(name: string, imitates: string, document: unknown): Kind {
  return { name, imitates, expect: noSoftware('unidentified', 'no-nodeinfo'), site: configOnly(document) };
}

/** A server whose config names a software that is almost, but not exactly, Loops. */
function almostLoops(name: string, imitates: string, software: string): Kind {
  const expect: Expectation = otherByConfig(software, '1.0.0');
  return { name, imitates, expect, site: configOnly({ app: { software, version: '1.0.0' } }) };
}

/** Servers that look like Loops and are not. */
export const nearMissKinds: Kind[] = [
  {
    name: 'loops-relay',
    imitates: 'the relay of the same project, which calls itself `loops-relay`',
    expect: otherByNodeInfo('loops-relay', '0.2.0'),
    site: (host) => otherSite(host, 'loops-relay', '0.2.0'),
  },
  {
    name: 'loops-capital-nodeinfo',
    imitates: 'a server that calls itself `Loops` in NodeInfo',
    expect: otherByNodeInfo('Loops', '1.0.0'),
    site: (host) => otherSite(host, 'Loops', '1.0.0'),
  },
  almostLoops('loops-capital', 'a server whose config names `Loops`', 'Loops'),
  almostLoops('loops-trailing-space', 'a server whose config names `loops` with a space after it', 'loops '),
  almostLoops('loops-longer', 'a server whose config names `loopsy`', 'loopsy'),
  configWithoutSoftware('config-empty-object', 'config is `{}`', {}),
  configWithoutSoftware('config-empty-list', 'config is `[]`', []),
  configWithoutSoftware('config-null', 'config is `null`', null),
  configWithoutSoftware('config-string', 'config is `"loops"`', 'loops'),
  configWithoutSoftware('config-app-string', 'config has `app` as a string', { app: 'loops' }),
  configWithoutSoftware('config-app-list', 'config has `app` as a list', { app: ['loops'] }),
  configWithoutSoftware('config-software-list', 'config has `app.software` as a list', {
    app: { software: ['loops'] },
  }),
  configWithoutSoftware('config-software-elsewhere', 'config has `software` at its top, not in `app`', {
    software: 'loops',
  }),
  {
    name: 'nodeinfo-software-list',
    imitates: 'a NodeInfo document with `software.name` as a list',
    expect: noSoftware('unidentified', 'nodeinfo-no-software'),
    site: (host) => ({ pages: nodeInfoPages(host, nodeInfo(['loops'], '1.0.0')) }),
  },
];
