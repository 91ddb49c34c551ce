import { asObject, property } from '../../identify/field-reader.ts';
import { REASONS } from '../../model/reason.ts';
import { cleanIdentifier, LENGTHS } from '../../model/text/clean-text.ts';
import { jsonProblem } from '../documents/document.ts';
import type { Evidence } from '../evidence.ts';
import type { ClientView } from '../report.ts';
import { showText, showValue } from '../rule.ts';

/** The app accepts only Loops, regardless of the configured software id. */
const SOFTWARE = 'loops';
const TIMEOUT_MS = 5_000;

/**
 * What the official app sees before sign-in: it waits five seconds for config, follows redirects, accepts any JSON with any
 * status, and compares `app.software` with `==`, so that `["loops"]` is accepted too.
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
      `config gave no answer: ${config.failure === null ? 'the connection was closed' : REASONS[config.failure].means}`,
    );
  if (config.ms > TIMEOUT_MS) return unavailable(`config took ${(config.ms / 1_000).toFixed(1)} s, and it waits 5 s`);

  const isRedirect = config.status >= 300 && config.status < 400;
  const body = isRedirect ? visit.documents.config : config.body;
  if (body === undefined)
    return unavailable(
      config.headers.location === undefined
        ? `config answers ${config.status} without a target`
        : `config redirects to ${showText(config.headers.location)}, which was not requested`,
    );
  const text = new TextDecoder().decode(body);
  const problem = jsonProblem(text);
  if (problem !== null) return unavailable(`the body of config ${problem.text}`);
  // Unlike Loopscout, the app has no limit on nesting.
  const document: unknown = JSON.parse(text);
  const software = property(asObject(property(asObject(document), 'app')), 'software');
  if (looselyEquals(software, SOFTWARE)) {
    const loosely = software === SOFTWARE ? '' : ` loosely, as ${showValue(software)}`;
    return view(
      'service',
      `Config names ${showValue(SOFTWARE)}${loosely}; the app then registers with the server.`,
      document,
    );
  }
  const found = software === undefined ? 'config names no software' : `app.software is ${showValue(software)}`;
  return view('other', `It says "only compatible with Loops": ${found}.`, document);
}

/** `value == text` of JavaScript, for JSON values. */
function looselyEquals(value: unknown, text: string): boolean {
  return value === text || (Array.isArray(value) && value.length === 1 && looselyEquals(value[0], text));
}

function namesIn(document: unknown): Pick<ClientView, 'software' | 'version'> {
  const app = asObject(property(asObject(document), 'app'));
  const text = (value: unknown, maxLength: number) =>
    typeof value === 'string' ? cleanIdentifier(value, maxLength) : null;
  return {
    software: text(property(app, 'software'), LENGTHS.software),
    version: text(property(app, 'version'), LENGTHS.version),
  };
}
