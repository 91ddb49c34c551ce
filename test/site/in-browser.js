// Runs in the browser before the scripts of each page, and defines the functions that the tests call there.

/**
 * Largest sum of layout shifts. Half of what Web Vitals call good: a browser paints a page while it reads it, and what follows may move
 * a button to the next line.
 */
const MAX_LAYOUT_SHIFT = 0.05;

globalThis.inspection = { shifts: 0, faults, axeFaults, shown };

new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) globalThis.inspection.shifts += value;
}).observe({ type: 'layout-shift', buffered: true });

/** The faults of the page, each in a few words. */
function faults() {
  const all = [...document.querySelectorAll('*')];
  const isInline = (element) =>
    element.matches('script:not([src]):not([type="application/ld+json"]), style, [style]') ||
    [...element.attributes].some(({ name }) => name.startsWith('on')) ||
    /^(?:javascript|data):/i.test(element.getAttribute('href') ?? '');
  const ids = all.flatMap(({ id }) => (id === '' ? [] : [id]));
  const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName.slice(1)));
  const empty = [...document.querySelectorAll('h1, h2, h3, h4, a')].filter(
    ({ textContent, ariaLabel }) => textContent.trim() === '' && ariaLabel === null,
  );
  return [
    ...smallTargets(),
    ...(globalThis.inspection.shifts > MAX_LAYOUT_SHIFT ? [`layout shift of ${globalThis.inspection.shifts}`] : []),
    ...(globalThis.hostile === undefined ? [] : ['a hostile text ran']),
    ...tooWide(),
    ...[...document.querySelectorAll('.scroll caption')]
      .filter((caption) => caption.clientWidth > caption.closest('.scroll').clientWidth)
      .map(({ textContent }) => `cut off: ${textContent}`),
    ...empty.map(({ outerHTML }) => `empty: ${outerHTML.slice(0, 80)}`),
    ...all.filter(isInline).map(({ outerHTML }) => `inline: ${outerHTML.slice(0, 80)}`),
    ...[...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => `broken image: ${src}`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `the id ${id} twice`),
    ...(levels.filter((level) => level === 1).length === 1 ? [] : ['not exactly one h1']),
    ...levels.flatMap((level, index) =>
      level > (levels[index - 1] ?? 0) + 1 ? [`heading ${index} is an h${level}`] : [],
    ),
  ];
}

/** Repeated elements of lists, which axe does not check: it takes a second for a hundred of them. */
const REPETITIONS = [['.card:nth-child(n+7)'], ['tbody tr:nth-child(n+7)']];

/** The findings of these rules of axe, or of all, on the page as it is shown. */
async function axeFaults(rules) {
  const runOnly = rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } };
  const options = { resultTypes: ['violations'], ...runOnly };
  const { violations, passes } = await axe.run({ exclude: REPETITIONS }, options);
  return [
    ...(passes.some(({ id }) => id === 'color-contrast') ? [] : ['axe did not check the contrast']),
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`)),
  ];
}

const MIN_TARGET = 24;

/** Links and controls that are lower than a finger needs, apart from links within sentences. */
function smallTargets() {
  const targets = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')];
  const small = targets.filter((target) => {
    const { height } = target.getBoundingClientRect();
    const isInSentence = [...target.parentNode.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '',
    );
    return height > 0 && height < MIN_TARGET && !isInSentence && !target.matches('.skip');
  });
  return small.map(({ outerHTML }) => `lower than ${MIN_TARGET} px: ${outerHTML.slice(0, 80)}`);
}

/** Whether the page scrolls sideways, with everything closed and with everything open. */
function tooWide() {
  const excess = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const closed = [...document.querySelectorAll('details:not([open])')];
  const widths = [excess()];
  for (const details of closed) details.open = true;
  widths.push(excess());
  for (const details of closed) details.open = false;
  const most = Math.max(...widths);
  return most > 0 ? [`${most} px too wide`] : [];
}

/** What the directory shows, without the links, which differ between the live and the static site. */
function shown() {
  const text = (element) => element.textContent.replaceAll(/\s+/g, ' ').trim();
  const texts = (selector) => [...document.querySelectorAll(selector)].map(text);
  return {
    heading: text(document.querySelector('#results')),
    upCount: texts('.up-count:not([hidden])'),
    list: [...document.querySelectorAll('.cards, .results table')].map(structureOf),
    options: [...document.querySelectorAll('.option')].map(
      (option) => `${text(option)} ${option.hasAttribute('href')} ${option.ariaCurrent}`,
    ),
    chips: texts('.chip'),
    advice: texts('.empty li'),
    place: texts('.pages span'),
    ignored: texts('.ignored li'),
    unknown: texts('.rest[data-rest$=".min"]:not([hidden])'),
    show: texts('.show'),
  };
}

/** Names, classes and texts of an element and its descendants. */
function structureOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim();
  const content = [...node.childNodes].map(structureOf).filter((part) => part !== '');
  return `${node.localName}${node.getAttribute('class') ? `.${node.getAttribute('class')}` : ''}(${content.join('|')})`;
}
