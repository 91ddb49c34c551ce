import { asObject, property } from '../../identify/field-reader.ts';
import { REASONS } from '../../model/reason.ts';
import { cleanIdentifier, LENGTHS } from '../../model/text/clean-text.ts';
import { jsonProblem } from '../documents/document.ts';
import type { Evidence } from '../evidence.ts';
import type { ClientView } from '../report.ts';
import { showText, showValue } from '../rule.ts';

/** What the app knows, whatever software the check is for. */
const SOFTWARE = 'loops';
const PATIENCE_MS = 5_000;

/**
 * How the official app sees the server before signing in: it waits five seconds for config, follows redirects, takes any JSON at any
 * status, and compares `app.software` loosely, so that a list of the one string will do. Pure.
 */
export function officialAppView({ answers, visit }: Evidence): ClientView {
  const view = (sees: ClientView['sees'], why: string, document?: unknown): ClientView => ({
    client: 'official-app',
    sees,
    ...namesIn(document),
    why,
  });
  const { config } = answers;
  const unavailable = (why: string) => view('nothing', `It says "not compatible or unavailable": ${why}.`);
  if (config === null) return unavailable('could not connect');
  if (config.failure !== null || config.status === null)
    return unavailable(
      `config gave no answer: ${config.failure === null ? 'nothing came' : REASONS[config.failure].means}`,
    );
  if (config.ms > PATIENCE_MS) return unavailable(`config took ${(config.ms / 1_000).toFixed(1)} s, and it waits 5 s`);

  const isRedirect = config.status >= 300 && config.status < 400;
  const body = isRedirect ? visit.documents.config : config.body;
  if (body === undefined)
    return unavailable(
      `config redirects to ${showText(config.headers.location ?? 'nowhere')}, and what is there was not asked`,
    );
  const text = new TextDecoder().decode(body);
  const problem = jsonProblem(text);
  if (problem !== null) return unavailable(`the body of config ${problem.text}`);
  // It nests as deep as it likes.
  const document: unknown = JSON.parse(text);
  const software = property(asObject(property(asObject(document), 'app')), 'software');
  if (isLoosely(software, SOFTWARE)) {
    const exactly = software === SOFTWARE ? '' : `, loosely: it is ${showValue(software)}`;
    return view(
      'service',
      `Config names ${showValue(SOFTWARE)}${exactly}; it goes on to register with the server.`,
      document,
    );
  }
  const found = software === undefined ? 'config names no software' : `app.software is ${showValue(software)}`;
  return view('other', `It says "only compatible with Loops": ${found}.`, document);
}

/** `value == text` for what JSON can hold: an object is compared as text, a list as its members with commas between. */
function isLoosely(value: unknown, text: string): boolean {
  return value === text || (Array.isArray(value) && value.length === 1 && isLoosely(value[0], text));
}

function namesIn(document: unknown): Pick<ClientView, 'software' | 'version'> {
  const app = asObject(property(asObject(document), 'app'));
  const text = (value: unknown, most: number) => (typeof value === 'string' ? cleanIdentifier(value, most) : null);
  return {
    software: text(property(app, 'software'), LENGTHS.software),
    version: text(property(app, 'version'), LENGTHS.version),
  };
}
