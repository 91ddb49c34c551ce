/**
 * Filters the directory of a static site, whose server answers no queries: reads `filter.json` when the pointer or focus first
 * reaches the filters or the search, shows what the live site would show, and keeps the choice in the URL. Without this script, every filter leads to a page
 * of its own.
 */
const browse = document.querySelector('.browse');
const form = document.querySelector('form.find');
const root = new URL(form?.action ?? location.href);
let data = null;
let formats = null;
/** The result of {@link load}; null before the first attempt, and after a failed one. */
let loading = null;
/** The query of the choice that is shown, or will be when the data is read. */
let shownQuery = '';

if (browse?.dataset.mode === 'static') start();

function start() {
  const isQueried = location.pathname === root.pathname && location.search !== '';
  const query = isQueried ? location.search : browse.dataset.query;
  shownQuery = query;
  history.replaceState({ query }, '');
  for (const event of ['pointerenter', 'focusin']) browse.addEventListener(event, prepare, { once: true });
  form.addEventListener('focusin', prepare, { once: true });
  browse.addEventListener('click', onClick);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    go(fromForm());
  });
  form.q.addEventListener('input', () => go(fromForm(), true));
  form.order.addEventListener('change', () => go(fromForm()));
  addEventListener('popstate', ({ state }) => {
    // A link within the page, such as the skip link, has no state and changes no choice.
    if (state === null) return;
    shownQuery = state.query;
    show(new URLSearchParams(shownQuery));
  });
  if (isQueried) show(new URLSearchParams(query));
}

/** Reads the data before it is needed, so that the first click is answered at once. */
async function prepare() {
  if (await load()) showOptions(find(new URLSearchParams(shownQuery)));
}

/** Reads the data once. Resolves to whether it could be read. */
function load() {
  loading ??= readData().then(
    () => true,
    () => {
      loading = null;
      return false;
    },
  );
  return loading;
}

async function readData() {
  // Without an answer in time, the links of the filters lead to their pages.
  const response = await fetch(new URL('filter.json', root), { signal: AbortSignal.timeout(8_000) });
  if (!response.ok) throw new Error(`filter.json: ${response.status}`);
  const read = await response.json();
  const { locale } = read.words;
  formats = {
    number: new Intl.NumberFormat(locale),
    plural: new Intl.PluralRules(locale),
    compact: new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
    percent: new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
    signed: new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' }),
    date: new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' }),
  };
  data = read;
  data.instances = data.rows.map(instanceOf);
}

/** A row of the data as an object with named fields. */
function instanceOf(row, fairIndex) {
  const [domain, name, text, registration, mode, standing, version, status, features, ...rest] = row;
  const [users, posts, uptime, videos, firstSeen, lastUp, face, numbers, size, length, country, network] = rest;
  const textOf = (index) => (index === null ? null : data.texts[index]);
  return {
    ...{
      fairIndex,
      domain,
      name,
      text,
      registration,
      mode,
      standing,
      status,
      users,
      posts,
      uptime,
      firstSeen,
      lastUp,
      face,
    },
    ...Object.fromEntries(Object.keys(data.steps).map((key, index) => [key, numbers[index]])),
    country,
    network: textOf(network),
    size: textOf(size),
    length: textOf(length),
    version: version === null ? null : data.versions[version],
    versionIndex: version,
    videos: textOf(videos),
    features: features === null ? null : features.map((index) => data.features[index]),
    searchText: `${domain}\n${name ?? ''}`.normalize('NFKC').toLowerCase(),
  };
}

/* The choice, as the query of the URL */

function fromForm() {
  const query = new URLSearchParams(shownQuery);
  const { q, order } = Object.fromEntries(new FormData(form));
  query.delete('page');
  set(query, 'q', q.trim());
  set(query, 'order', order === 'fair' ? '' : order);
  return query;
}

function set(query, key, value) {
  if (value === '') query.delete(key);
  else query.set(key, value);
}

const NO_FILTERS = ['page', 'order', 'view'];
/** The filters whose values are those of the instances. */
const NAMES = ['version', 'country', 'network'];

/** The filters of a query that have a known value. Each feature is a filter of its own. */
const filtersOf = (query) =>
  [...query].filter(([key, value]) => !NO_FILTERS.includes(key) && value !== '' && ignoredAs([key, value]) === null);

/** Why a parameter is ignored; null when it is not. */
function ignoredAs([key, value]) {
  const { words, parameters, free } = data;
  if (value === '' || free.includes(key)) return null;
  if (!Object.hasOwn(parameters, key))
    return fill(words.unknownKey, { key: key.slice(0, 50), known: [...free, ...Object.keys(parameters)].join(', ') });
  if (parameters[key].includes(value)) return null;
  return fill(words.unknownValue, { key, value: value.slice(0, 50), known: parameters[key].join(', ') });
}

function withFilter(query, key, value) {
  const next = new URLSearchParams(query);
  next.delete('page');
  if (key === 'feature') next.append(key, value);
  else next.set(key, value);
  return next;
}

function withoutFilter(query, key, value) {
  const next = new URLSearchParams([...query].filter((pair) => pair[0] !== key || pair[1] !== value));
  next.delete('page');
  return next;
}

const urlOf = (query) => {
  const url = new URL(root);
  url.search = query;
  return url.href;
};

async function onClick(event) {
  const link = event.target.closest('a[href]');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const choice = new URLSearchParams(shownQuery);
  let next = null;
  const { filter, value, view, order } = link.dataset;
  if (filter !== undefined) {
    const isChosen = link.hasAttribute('aria-current') || link.classList.contains('chip');
    next = isChosen ? withoutFilter(choice, filter, value) : withFilter(choice, filter, value);
  } else if (view !== undefined) {
    next = choice;
    next.delete('page');
    set(next, 'view', view === 'cards' ? '' : view);
  } else if (order !== undefined) {
    next = choice;
    next.delete('page');
    set(next, 'order', order);
  } else if (link.dataset.query !== undefined) {
    next = new URLSearchParams(link.dataset.query);
  }
  if (next === null) return;
  event.preventDefault();
  if (!(await go(next))) location.href = link.href;
  else if (link.dataset.query !== undefined) browse.querySelector('.results').scrollIntoView();
}

/** Shows a choice and remembers it in the URL. */
async function go(query, isTyping = false) {
  const state = { query: String(query) };
  shownQuery = state.query;
  if (!(await show(query))) return false;
  if (isTyping) history.replaceState(state, '', urlOf(query));
  else history.pushState(state, '', urlOf(query));
  return true;
}

/* The instances that match the choice */

const HOLDS = {
  q: ({ searchText }, text) => searchText.includes(text.normalize('NFKC').toLowerCase()),
  feature: ({ features }, name) => features?.includes(name) === true,
};

function holds(instance, [key, value]) {
  if (key in data.steps) return instance[key] !== null && instance[key] >= Number(value);
  return HOLDS[key] === undefined ? instance[key] === value : HOLDS[key](instance, value);
}

/** Unknown numbers are below all others. */
const rank = (instance, key) => instance[key] ?? -Number.MAX_VALUE;
const descending = (key) => (one, other) => rank(other, key) - rank(one, key) || byDomain(one, other);
const highest = (key) => (one, other) => rank(other, key) - rank(one, key) || one.fairIndex - other.fairIndex;
const byDomain = (one, other) => (one.domain < other.domain ? -1 : 1);
const ORDERS = {
  fair: (one, other) => one.fairIndex - other.fairIndex,
  name: byDomain,
  newest: descending('firstSeen'),
  version: (one, other) => (one.versionIndex ?? 1e9) - (other.versionIndex ?? 1e9) || byDomain(one, other),
  uptime: highest('uptime'),
  size: highest('maxVideoSizeMB.min'),
  length: highest('maxVideoDurationSeconds.min'),
  growth: highest('growth.min'),
  oldest: (one, other) => one.firstSeen - other.firstSeen || byDomain(one, other),
  users: descending('users'),
  posts: descending('posts'),
};

/** The instances found, and how many would be found with one filter changed, added or removed. */
function find(query) {
  const filters = filtersOf(query);
  const excluded = filters.map(() => 0);
  const counts = new Map();
  const count = (key, value) => counts.set(`${key}=${value}`, (counts.get(`${key}=${value}`) ?? 0) + 1);
  const countSteps = (key, value) => {
    for (const step of data.steps[key]) if (value !== null && value >= step) count(key, step);
  };
  const found = [];
  let featuresUnknown = 0;
  for (const instance of data.instances) {
    const failed = filters.flatMap((filter, index) => (holds(instance, filter) ? [] : [index]));
    if (failed.length > 1) continue;
    const [onlyFailed] = failed;
    if (onlyFailed !== undefined) {
      // The instance would be found without this filter, or with the value that the instance has.
      excluded[onlyFailed] += 1;
      const [key] = filters[onlyFailed];
      if (key in data.steps) countSteps(key, instance[key]);
      else if (HOLDS[key] === undefined) count(key, instance[key]);
      continue;
    }
    found.push(instance);
    for (const key of ['registration', 'standing', ...NAMES, 'status']) count(key, instance[key]);
    for (const name of instance.features ?? []) count('feature', name);
    if (instance.features === null) featuresUnknown += 1;
    for (const key of Object.keys(data.steps)) {
      countSteps(key, instance[key]);
      if (instance[key] === null) count(key, null);
    }
  }
  const order = Object.hasOwn(ORDERS, query.get('order')) ? query.get('order') : 'fair';
  found.sort(ORDERS[order]);
  const without = filters.map((filter, index) => ({ filter, count: found.length + excluded[index] }));
  return { query, filters, order, found, counts, without, featuresUnknown };
}

/* Showing the result */

async function show(query) {
  if (!(await load())) {
    browse.querySelector('#results').textContent = browse.dataset.failed;
    return false;
  }
  const result = find(query);
  const { words, perPage } = data;
  const view = query.get('view') === 'table' ? 'table' : 'cards';
  const pages = Math.max(1, Math.ceil(result.found.length / perPage[view]));
  const page = Math.min(pages, Math.max(1, Math.floor(Number(query.get('page'))) || 1));
  const listed = result.found.slice((page - 1) * perPage[view], page * perPage[view]);
  showHead(result, view);
  showOptions(result);
  const results = browse.querySelector('.results');
  results.replaceChildren();
  const ignored = [...query].flatMap((pair) => ignoredAs(pair) ?? []).slice(0, 5);
  if (ignored.length > 0)
    results.append(
      element(
        'ul',
        { class: 'ignored' },
        ignored.map((text) => element('li', {}, [text])),
      ),
    );
  if (result.filters.length > 0) results.append(chipList(result));
  if (listed.length === 0) results.append(nothingFound(result));
  else if (view === 'table') results.append(table(listed));
  else results.append(element('ul', { class: 'cards' }, listed.map(card)));
  if (pages > 1) results.append(pageLinks(query, page, pages, words.pages));
  return true;
}

function showHead({ query, filters, order, found, counts }, view) {
  const { words } = data;
  const names = filters.map(nameOf).join(', ');
  const title = filters.length === 0 ? words.title : fill(words.facetTitle, { filters: names });
  document.querySelector('h1').textContent = title;
  document.title = filters.length === 0 ? `${words.name} – ${title}` : `${title} – ${words.name}`;
  const text = filters.length === 0 ? words.all : words.found;
  const numbers = { found: number(found.length), all: number(data.instances.length) };
  browse.querySelector('#results').textContent = fill(text[plural(found.length)], numbers);
  const [up, down] = ['up', 'down'].map((status) => counts.get(`status=${status}`) ?? 0);
  const note = browse.querySelector('.up-count');
  note.hidden = down === 0 || filters.some(([key]) => key === 'status');
  note.querySelector('span > span').textContent = fill(words.up, { count: number(up) });
  note.querySelector('a').textContent = fill(words.hideDown, { count: number(down) });
  note.querySelector('a').href = urlOf(withFilter(query, 'status', 'up'));
  if (document.activeElement !== form.q) form.q.value = query.get('q') ?? '';
  form.order.value = order;
  for (const link of browse.querySelectorAll('.switch a')) {
    const viewQuery = new URLSearchParams(query);
    viewQuery.delete('page');
    set(viewQuery, 'view', link.dataset.view === 'cards' ? '' : link.dataset.view);
    link.href = urlOf(viewQuery);
    markCurrent(link, link.dataset.view === view);
  }
}

function showOptions({ query, filters, found, counts, featuresUnknown }) {
  for (const option of browse.querySelectorAll('.option')) {
    const { filter, value } = option.dataset;
    const isChosen = filters.some(([key, chosen]) => key === filter && chosen === value);
    const count = counts.get(`${filter}=${value}`) ?? 0;
    option.querySelector('.count').textContent = number(count);
    option.querySelector('.icon')?.remove();
    if (isChosen) option.prepend(icon('check'));
    markCurrent(option, isChosen);
    if (count === 0 && !isChosen) option.removeAttribute('href');
    else option.href = urlOf(isChosen ? withoutFilter(query, filter, value) : withFilter(query, filter, value));
  }
  const { words } = data;
  browse.querySelector('[data-rest="feature"]').textContent = fill(words.unknownFeatures, {
    count: number(featuresUnknown),
  });
  for (const key of Object.keys(data.steps)) {
    const [rest, unknown] = [browse.querySelector(`[data-rest="${key}"]`), counts.get(`${key}=null`) ?? 0];
    rest.hidden = unknown === 0;
    rest.textContent = fill(words.unknown, { count: number(unknown) });
  }
  browse.querySelector('.show a').textContent = fill(words.show[plural(found.length)], { found: number(found.length) });
  // These lines count names that have no option, and their numbers hold only for the whole directory.
  for (const key of NAMES) browse.querySelector(`[data-rest="${key}"]`)?.toggleAttribute('hidden', filters.length > 0);
  const tag = browse.querySelector('.filters summary .tag');
  tag.hidden = filters.length === 0;
  tag.textContent = fill(words.chosen, { count: number(filters.length) });
}

function chipList({ query, filters }) {
  const { words } = data;
  const chips = filters.map(([filter, value]) =>
    element(
      'a',
      { class: 'chip', href: urlOf(withoutFilter(query, filter, value)), 'data-filter': filter, 'data-value': value },
      [nameOf([filter, value]), icon('cross'), element('span', { class: 'unseen' }, [` (${words.remove})`])],
    ),
  );
  const clear = element('a', { class: 'chip plain', href: root.href, 'data-query': '' }, [words.clear]);
  return element(
    'ul',
    { class: 'chips' },
    [...chips, clear].map((chip) => element('li', {}, [chip])),
  );
}

function nothingFound({ query, without }) {
  const { words } = data;
  const link = (next, text) =>
    element('a', { class: 'button quiet', href: urlOf(next), 'data-query': String(next) }, [text]);
  const helpful = without.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
  const drops = helpful.map(({ filter, count }) => {
    const text = fill(words.without[plural(count)], { filter: nameOf(filter), found: number(count) });
    return link(withoutFilter(query, ...filter), text);
  });
  const links = [...drops, link(new URLSearchParams(), words.clear)];
  return element('div', { class: 'empty' }, [
    element('h3', {}, [words.none]),
    element(
      'ul',
      {},
      links.map((one) => element('li', {}, [one])),
    ),
  ]);
}

function pageLinks(query, page, pages, words) {
  const link = (to, rel, text) => {
    if (to < 1 || to > pages) return [];
    const next = new URLSearchParams(query);
    set(next, 'page', to === 1 ? '' : String(to));
    return [element('a', { class: 'button quiet', rel, href: urlOf(next), 'data-query': String(next) }, [text])];
  };
  const place = fill(words.of, { page: number(page), pages: number(pages) });
  return element('nav', { class: 'pages', 'aria-label': words.label }, [
    ...link(page - 1, 'prev', words.previous),
    element('span', {}, [place]),
    ...link(page + 1, 'next', words.next),
  ]);
}

/* Instances, as `instance-card.ts` and `instance-table.ts` show them */

const linkOf = ({ domain }) => new URL(`./instances/${domain}/`, root).href;

function card(instance) {
  const { words } = data;
  const { domain, name, text, features, videos, firstSeen } = instance;
  const visit = [words.card.visit, element('span', { class: 'unseen' }, [` ${domain}`]), icon('leave')];
  return element('li', { class: 'card' }, [
    face(instance.face),
    element('h3', {}, [element('a', { href: linkOf(instance) }, [name ?? domain])]),
    element('p', { class: 'domain' }, [name === null ? words.card.nameless : domain]),
    element('p', { class: 'tags' }, [
      ...downTag(instance),
      fullTag(registrationTag(instance)),
      fullTag(versionTag(instance)),
    ]),
    element('p', { class: 'text' }, [text]),
    ...(features === null || features.length === 0
      ? []
      : [
          element(
            'ul',
            { class: 'features', 'aria-label': words.card.features },
            features.map((key) => element('li', {}, [icon(key), words.features[key]])),
          ),
        ]),
    ...(videos === '' ? [] : [element('p', { class: 'limits' }, [icon('video'), videos])]),
    element('dl', { class: 'figures' }, [
      figure(words.card.users, instance.users, (value) => formats.compact.format(value), growthNote(instance)),
      figure(words.card.posts, instance.posts, (value) => formats.compact.format(value)),
      figure(words.card.uptime, instance.uptime, percent),
    ]),
    element('p', { class: 'foot' }, [
      element('span', {}, [fill(words.card.since, { date: formats.date.format(firstSeen * 1_000) })]),
      element('a', { class: 'go', href: `https://${domain}`, rel: 'nofollow noopener' }, visit),
    ]),
  ]);
}

function table(listed) {
  const { table: words } = data.words;
  const cells = data.columns.map(([column, order, isNumber]) => {
    const attributes = { scope: 'col', ...(isNumber ? { class: 'number' } : {}) };
    if (order === null) return element('th', attributes, [words[column]]);
    const query = new URLSearchParams(shownQuery);
    const isSorted = query.get('order') === order;
    query.delete('page');
    query.set('order', order);
    attributes['aria-sort'] = isSorted ? (order === 'name' ? 'ascending' : 'descending') : 'none';
    return element('th', attributes, [element('a', { href: urlOf(query), 'data-order': order }, [words[column]])]);
  });
  return element('div', { class: 'scroll', role: 'region', 'aria-label': words.caption, tabindex: '0' }, [
    element('table', { class: 'instances' }, [
      element('caption', { class: 'unseen' }, [words.caption]),
      element('thead', {}, [element('tr', {}, cells)]),
      element('tbody', {}, listed.map(row)),
    ]),
  ]);
}

function row(instance) {
  const { words } = data;
  const { domain, name, users, posts, uptime, size, length, firstSeen } = instance;
  const asIs = (value) => value;
  const count = (value, text) =>
    element('td', { class: 'number' }, [
      value === null ? element('span', { class: 'soft' }, [words.card.unknown]) : text(value),
    ]);
  return element('tr', {}, [
    element('th', { scope: 'row' }, [
      element('a', { href: linkOf(instance) }, [name ?? domain]),
      element('span', { class: 'domain' }, [name === null ? words.card.nameless : domain, ...downTag(instance)]),
    ]),
    element('td', {}, notedTag(registrationTag(instance))),
    element('td', {}, notedTag(versionTag(instance))),
    ...[count(users, number), count(instance['growth.min'], (value) => formats.signed.format(value))],
    ...[count(posts, number), count(uptime, percent), count(size, asIs), count(length, asIs)],
    element('td', {}, [formats.date.format(firstSeen * 1_000)]),
  ]);
}

function figure(label, value, text, note = null) {
  const shown =
    value === null ? element('dd', { class: 'soft' }, [data.words.card.unknown]) : element('dd', {}, [text(value)]);
  const below = note === null ? [] : [element('dd', { class: 'note' }, [note])];
  return element('div', {}, [element('dt', {}, [label]), shown, ...below]);
}

function growthNote({ 'growth.min': change }) {
  return change === null ? null : fill(data.words.card.growth, { change: formats.signed.format(change) });
}

const tag = (name, style, text) =>
  element('span', { class: `tag ${style}`.trim() }, [icon(name), element('span', {}, [text])]);
const fullTag = ({ name, style, full }) => tag(name, style, full);
const notedTag = ({ name, style, text, note }) => [
  tag(name, style, text),
  element('span', { class: 'domain' }, [note]),
];

function downTag({ status, lastUp }) {
  if (status !== 'down') return [];
  const { words } = data;
  const date = lastUp === null ? '' : formats.date.format(lastUp * 1_000);
  return [tag('down', 'bad', lastUp === null ? words.status.down : fill(words.downTag, { date }))];
}

function registrationTag({ registration, mode }) {
  const style = { open: 'good', approval: 'fair', closed: '', unknown: '' }[registration];
  const text = data.words.registration[registration];
  const note = registration === 'approval' ? fill(data.words.mode, { mode: mode ?? '' }) : '';
  return { name: registration, style, text, note, full: note === '' ? text : `${text} (${note})` };
}

function versionTag({ version, standing }) {
  const [name, style] = {
    current: ['check', 'good'],
    behind: ['behind', 'fair'],
    'far-behind': ['behind', 'bad'],
    unknown: ['unknown', ''],
  }[standing];
  const text = version ?? data.words.noVersion;
  const note = data.words.standing[standing];
  return { name, style, text, note, full: note === '' ? text : `${text}, ${note}` };
}

/* Words, numbers and elements */

/** Replaces the names in braces by their values, in one pass: braces inside a value stay as they are. */
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

function nameOf([key, value]) {
  const { words } = data;
  if (key === 'q') return fill(words.searched, { text: value });
  if (key === 'version') return fill(words.version, { version: value });
  return words.filters[`${key}=${value}`] ?? value;
}

function number(value) {
  return formats.number.format(value);
}

function percent(share) {
  return formats.percent.format(share < 1 ? Math.min(share, 0.999) : share);
}

function plural(count) {
  return formats.plural.select(count);
}

function markCurrent(link, isCurrent) {
  if (isCurrent) link.setAttribute('aria-current', 'true');
  else link.removeAttribute('aria-current');
}

/** Creates an element with text and elements as content; text is never parsed as HTML. */
function element(name, attributes, content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

/** As `face.ts` draws it. */
function face(number) {
  const namespace = 'http://www.w3.org/2000/svg';
  const [svg, path] = ['svg', 'path'].map((name) => document.createElementNS(namespace, name));
  const squares = Array.from({ length: 15 }, (_, bit) => {
    if (((number >> bit) & 1) === 0) return '';
    const [x, y] = [Math.floor(bit / 5), bit % 5];
    return [...new Set([x, 4 - x])].map((column) => `M${column},${y}h1v1h-1z`).join('');
  });
  path.setAttribute('d', squares.join(''));
  svg.setAttribute('class', `face hue-${number >> 15}`);
  svg.setAttribute('viewBox', '-1 -1 7 7');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(path);
  return svg;
}

function icon(name) {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(namespace, 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}
