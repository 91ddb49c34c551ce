import { configPath, discoveryPath, type HostContext, type KindsByName, noSoftware, type Site } from '../kind.ts';
import { html, json, redirect } from '../site.ts';

const alias = noSoftware('alias', 'redirected');

/** A host that redirects every request to another host: the paths that a crawler requests to the same path, all others to `/`. */
function redirectToTarget(status: number): (host: HostContext) => Site {
  return ({ target }) => {
    const toTarget = (path: string) => redirect(target.url + path, status);
    const paths = [configPath, discoveryPath, '/robots.txt', '/nodeinfo/2.0'];
    return { pages: Object.fromEntries(paths.map((path) => [path, toTarget(path)])), fallback: toTarget('/') };
  };
}

/** Hosts that are another name of a Loops server. */
export const aliasKinds: KindsByName = {
  redirected: {
    imitates: 'an old name that redirects everything to the new one permanently (301)',
    expect: alias,
    weight: 2,
    needsTarget: true,
    site: redirectToTarget(301),
  },
  'redirected-for-now': {
    imitates: 'a name that redirects everything to another one temporarily (307)',
    expect: alias,
    needsTarget: true,
    site: redirectToTarget(307),
  },
  'redirected-to-front-page': {
    imitates: 'a name that redirects everything to the front page of another one',
    expect: alias,
    needsTarget: true,
    site: ({ target }) => ({ pages: { '/robots.txt': html('', 404) }, fallback: redirect(`${target.url}/`) }),
  },
  'config-redirected': {
    imitates: 'a host that redirects config to another one and has no NodeInfo',
    expect: alias,
    needsTarget: true,
    site: ({ target }) => ({ pages: { [configPath]: redirect(target.url + configPath) } }),
  },
  'discovery-redirected': {
    imitates: 'a host without config that redirects NodeInfo discovery to another one',
    expect: alias,
    needsTarget: true,
    site: ({ target }) => ({
      pages: {
        [configPath]: json({ error: 'Not Found' }, 404),
        [discoveryPath]: redirect(target.url + discoveryPath, 302),
      },
    }),
  },
};
