import { type CheerioAPI, load } from 'cheerio';
import { describeAnswer } from '../evidence.ts';
import { type Answer, headerOf, type ProbeExchange, type SentRequest } from '../exchange.ts';
import { isRedirectUri } from './redirect-uri.ts';
import { getPage } from './requests.ts';

export interface User {
  username: string;
  password: string;
  /** The text of the button that approves, for a page in another language than English; null: English words. */
  approveButton?: string | null;
}

/** The state of a browser that visits one server. */
export interface Browser {
  cookies: Map<string, string>;
  /** Whether the sign-in form was filled in. It is filled in once, because another attempt could lock the account. */
  hasSignedIn: boolean;
  /** Why the sign-in failed; null when it did not. */
  signInProblem: string | null;
}

/** More pages than any sign-in and consent need. */
const MAX_STEPS = 12;

/** More tags than any sign-in or consent page needs. The time to parse nested tags grows with the square of their number. */
const MAX_TAGS = 2_000;

// The look-behind keeps "Disallow" and "Disagree" from counting as approval.
const APPROVE = /(?<![a-z])(?:approve|authori[sz]e|allow|accept|grant|agree|confirm|yes)/i;
const DENY = /(?<![a-z])(?:deny|reject|refuse|decline|cancel|disallow|disagree|don['’]t|not?(?![a-z]))/i;

/**
 * Opens a page as a browser without JavaScript would, follows redirects on the server, signs in unless the browser has done so, and presses
 * the button of the decision. Stops at the redirect URI, at a redirect to another server, or at a page without such a button.
 */
export async function decide(
  start: string,
  { user, decision, browser }: { user: User; decision: 'approve' | 'deny'; browser: Browser },
  send: (request: SentRequest) => Promise<ProbeExchange>,
): Promise<[ProbeExchange, ...ProbeExchange[]]> {
  const { cookies } = browser;
  const open = async (request: SentRequest): Promise<ProbeExchange> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const exchange = await send(cookie === '' ? request : { ...request, headers: { ...request.headers, cookie } });
    if (exchange.answer !== null) keepCookies(exchange.answer, cookies);
    return exchange;
  };
  const nextRequest = ({ request, answer }: ProbeExchange): SentRequest | null => {
    if (answer === null) return null;
    const location = headerOf(answer, 'location');
    const url = location === undefined ? null : URL.parse(location, request.url);
    if (answer.status >= 300 && answer.status < 400 && url !== null) {
      return isRedirectUri(url) || url.origin !== new URL(start).origin ? null : getPage(url.href);
    }
    const page = parsePage(answer);
    const signIn = browser.hasSignedIn ? null : signInOf(page, request.url, user);
    if (signIn !== null) browser.hasSignedIn = true;
    return signIn ?? decisionOf(page, request.url, decision, user.approveButton);
  };

  let hadSignedIn = browser.hasSignedIn;
  const exchanges: [ProbeExchange, ...ProbeExchange[]] = [await open(getPage(start))];
  for (let step = 1; step < MAX_STEPS; step++) {
    const request = nextRequest(exchanges.at(-1) ?? exchanges[0]);
    if (request === null || new URL(request.url).origin !== new URL(start).origin) break;
    const isSignIn = browser.hasSignedIn && !hadSignedIn;
    hadSignedIn = browser.hasSignedIn;
    const exchange = await open(request);
    exchanges.push(exchange);
    if (isSignIn && (exchange.answer?.status ?? 0) >= 400) browser.signInProblem = signInProblem(exchange);
  }
  const last = exchanges.at(-1) ?? exchanges[0];
  if (last.answer !== null && asksForPassword(last.answer)) browser.signInProblem ??= signInProblem(last);
  return exchanges;
}

function signInProblem({ request, answer }: ProbeExchange): string {
  const answered = answer === null ? 'no answer' : describeAnswer(answer);
  return `the sign-in failed: ${request.method} ${new URL(request.url).pathname}: ${answered}; check --username and the password`;
}

/** Whether the answer is a page with a field for a password. */
export function asksForPassword(answer: Answer): boolean {
  return parsePage(answer)('form input[type=password]').length > 0;
}

/** Whether the answer of an exchange is a page with a button that approves. */
export function asksForDecision({ answer, request }: ProbeExchange, approveButton?: string | null): boolean {
  return answer !== null && decisionOf(parsePage(answer), request.url, 'approve', approveButton) !== null;
}

/** Parses a page. An answer with too many tags counts as an empty page. */
function parsePage({ text }: Answer): CheerioAPI {
  return load(text.split('<', MAX_TAGS + 2).length > MAX_TAGS + 1 ? '' : text);
}

function keepCookies({ headers }: Answer, cookies: Browser['cookies']): void {
  for (const [name, line] of headers) {
    const [, key = '', value = ''] = name === 'set-cookie' ? (/^([^=;]+)=([^;]*)/.exec(line) ?? []) : [];
    if (key === '') continue;
    if (value === '' || /;\s*max-age=0\b/i.test(line)) cookies.delete(key.trim());
    else cookies.set(key.trim(), value);
  }
}

/** Fills in the first form with exactly one password field. */
function signInOf(page: CheerioAPI, url: string, { username, password }: User): SentRequest | null {
  const form = page('form')
    .filter((_, one) => page(one).find('input[type=password]').length === 1)
    .first();
  const fieldOf = (selector: string) => form.find(selector).first().attr('name');
  const passwordField = fieldOf('input[type=password]');
  const usernameField = fieldOf('input[autocomplete=username], input[type=email], input[type=text], input:not([type])');
  if (passwordField === undefined || usernameField === undefined) return null;
  const button = form.find('button:not([type=button]), input[type=submit]').first();
  return formRequest(page, form, url, {
    ...fieldOfButton(button),
    [usernameField]: username,
    [passwordField]: password,
  });
}

/**
 * The request of the first form with a button that reads like the decision. The text of a button takes precedence over its value. With
 * `approveButton`, the button with this text approves, and any other button beside it denies.
 */
function decisionOf(
  page: CheerioAPI,
  url: string,
  decision: 'approve' | 'deny',
  approveButton: string | null = null,
): SentRequest | null {
  const [wanted, other] = decision === 'approve' ? [APPROVE, DENY] : [DENY, APPROVE];
  const named: { button: Selection; isApproval: boolean }[] = [];
  for (const element of page('form button:not([type=button]), form input[type=submit]').toArray()) {
    const button = page(element);
    const [text, value] = [button.text().trim(), button.attr('value') ?? ''];
    const words = text === '' ? value : text;
    if (approveButton !== null) named.push({ button, isApproval: words === approveButton });
    const isWanted =
      approveButton === null && (wanted.test(words) ? !other.test(words) : wanted.test(value) && !other.test(words));
    if (isWanted) return formRequest(page, button.closest('form'), url, fieldOfButton(button));
  }
  const chosen = named.find(({ isApproval }) => isApproval === (decision === 'approve'))?.button;
  if (chosen === undefined || !named.some(({ isApproval }) => isApproval)) return null;
  return formRequest(page, chosen.closest('form'), url, fieldOfButton(chosen));
}

type Selection = ReturnType<CheerioAPI>;

/** The field that a form sends when this button is pressed; none for a button without a name. */
function fieldOfButton(button: Selection): Record<string, string> {
  const name = button.attr('name');
  return name === undefined ? {} : { [name]: button.attr('value') ?? '' };
}

function formRequest(
  page: CheerioAPI,
  form: Selection,
  url: string,
  fields: Record<string, string>,
): SentRequest | null {
  const target = URL.parse(form.attr('action') ?? '', url);
  if (target === null) return null;
  const hidden = form
    .find('input[type=hidden], input[type=checkbox][checked]')
    .toArray()
    .map((input) => [page(input).attr('name') ?? '', page(input).attr('value') ?? 'on'] as const)
    .filter(([name]) => name !== '');
  const body = `${new URLSearchParams({ ...Object.fromEntries(hidden), ...fields })}`;
  if (form.attr('method')?.toLowerCase() !== 'post') {
    target.search = body;
    return getPage(target.href);
  }
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', url: target.href, headers, body };
}
