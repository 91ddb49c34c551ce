import { createReferenceServer, type Exchange, type OnExchange } from '../../reference/index.ts';
import { type ClientRun, toClientRun } from './call.ts';
import type { Scenario } from './scenario.ts';

/** The server that the client under test connects to. */
export interface Target {
  scenario: Scenario;
  url: string;
  /** Host and port. */
  domain: string;
  /** The certificate of the authority to trust, as a file; null without TLS. */
  caFile: string | null;
  /** The id of a video. */
  video: string;
}

/** Operates the client. Returns whether the client says that the server is a Loops server; null: it does not say. */
export type Drive = (target: Target) => Promise<boolean | null>;

export interface PlayOptions {
  tls?: boolean;
  /** The host name in the URL of the server; the client must resolve it to 127.0.0.1. Default: 127.0.0.1. */
  name?: string;
  /** Shows the consent pages. Default: the server approves every request at once. */
  pages?: boolean;
}

/** Starts a server that plays the scenario on a free port, and observes the client until `drive` ends. */
export async function playScenario(scenario: Scenario, drive: Drive, options: PlayOptions = {}): Promise<ClientRun> {
  const { tls = false, name, pages = false } = options;
  const exchanges: Exchange[] = [];
  let react: OnExchange | undefined;
  await using server = await createReferenceServer({
    ...scenario.options,
    tls,
    url: name && `http://${name}`,
    autoApprove: pages ? null : 'ada',
    onExchange: (exchange, state) => {
      exchanges.push(exchange);
      react?.(exchange, state);
    },
  });
  const { state, port, caFile } = server;
  const domain = `${name ?? '127.0.0.1'}:${port}`;
  const url = `${tls ? 'https' : 'http'}://${domain}`;
  state.url = url;
  state.config.app.url = url;
  react = scenario.prepare?.(state);
  const video = state.data.videos.all()[0]?.id ?? '';
  const accepted = await drive({ scenario, url, domain, caFile, video });
  return toClientRun({ scenario: scenario.name, url, accepted }, exchanges);
}
