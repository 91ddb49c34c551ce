/**
 * The directory of a live site, without loading whole pages: the server filters and sorts, and what it answers replaces the filters and
 * the results of this page. Without this script, the same links and forms load the same pages.
 */
const TYPING_PAUSE_MS = 200;

const liveBrowse = document.querySelector('.browse[data-mode="live"]');
if (liveBrowse !== null) startLive(liveBrowse, document.querySelector('form.find'));

function startLive(browse, form) {
  let request = new AbortController();
  let typing;
  let shown = location.href;

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    open(fromForm(), 'pushState');
  });
  form.order.addEventListener('change', () => open(fromForm(), 'pushState'));
  form.q.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => open(fromForm(), 'replaceState'), TYPING_PAUSE_MS);
  });
  browse.addEventListener('click', async (event) => {
    const link = event.target.closest('a[href]');
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    if (link.closest('.cards, tbody, .others, .actions, .show') !== null) return;
    event.preventDefault();
    if (!(await open(link.href, 'pushState'))) location.href = link.href;
    else if (link.closest('.pages') !== null) browse.querySelector('.results').scrollIntoView();
  });
  addEventListener('popstate', () => {
    // A link within the page, such as the skip link, changes no choice.
    if (withoutHash(location.href) !== withoutHash(shown)) open(location.href, null);
  });

  /** Without the fields that are empty or have the value of the first page. */
  function fromForm() {
    const url = new URL(form.action);
    for (const [key, value] of new FormData(form))
      if (value.trim() !== '' && !(key === 'order' && value === 'fair')) url.searchParams.append(key, value.trim());
    return url.href;
  }

  /** Shows the choice of a URL. Resolves to whether that worked, or a later choice replaced it. */
  async function open(url, remember) {
    clearTimeout(typing);
    request.abort();
    request = new AbortController();
    const { signal } = request;
    try {
      const response = await fetch(url, { signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      signal.throwIfAborted();
      show(page);
    } catch {
      if (!signal.aborted) browse.querySelector('#results').textContent = browse.dataset.failed;
      return signal.aborted;
    }
    shown = url;
    if (remember !== null) history[remember](null, '', url);
    return true;
  }

  function show(page) {
    const { filter, value, order, view } = document.activeElement?.dataset ?? {};
    document.title = page.title;
    setText('h1', page);
    setText('#results', page);
    const heading = browse.querySelector('#results');
    while (heading.nextSibling !== null) heading.nextSibling.remove();
    const rest = page.querySelector('.results-head');
    rest.querySelector('#results').remove();
    heading.after(...rest.childNodes);
    for (const part of ['.filters', '.results'])
      browse.querySelector(part).replaceChildren(...page.querySelector(part).childNodes);
    form.order.value = page.querySelector('#order').value;
    if (document.activeElement !== form.q) form.q.value = page.querySelector('#q').value;
    // What had the focus was replaced.
    const same = [...browse.querySelectorAll('a[data-filter], a[data-order], a[data-view]')].find(
      ({ dataset }) =>
        dataset.filter === filter && dataset.value === value && dataset.order === order && dataset.view === view,
    );
    if (document.activeElement === document.body) same?.focus({ preventScroll: true });
  }

  function setText(selector, page) {
    document.querySelector(selector).textContent = page.querySelector(selector).textContent;
  }
}

function withoutHash(url) {
  return url.split('#')[0];
}
