/*
 * Reads out the charts: the value where the pointer is, where a finger touches, or where the arrow keys lead; and shows a shorter range of all
 * charts on demand. Without this script, charts have titles that show on hover, and their values as tables and CSV.
 */
{
  const DAY_MS = 86_400_000;
  const SIDE = 1_000;
  const { locale } = document.body.dataset;
  const number = new Intl.NumberFormat(locale);
  const utc = { timeZone: 'UTC' };
  const date = new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric', month: 'short', year: 'numeric' });
  const month = new Intl.DateTimeFormat(locale, { ...utc, month: 'short', year: 'numeric' });
  const shortDate = new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric', month: 'short' });
  const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

  /** Makes an element a slider over `count` values. `textOf(index)` shows one and returns it as text; `reset` shows the last one again. */
  function makeReadable(element, { label, count, indexAt, textOf, reset }) {
    let index = count - 1;
    const go = (to) => {
      index = Math.min(count - 1, Math.max(0, to));
      element.setAttribute('aria-valuenow', String(index));
      element.setAttribute('aria-valuetext', textOf(index));
    };
    for (const [name, value] of Object.entries({
      ...{ role: 'slider', tabindex: '0', 'aria-label': label, 'aria-valuemin': '0' },
      'aria-valuemax': String(count - 1),
    }))
      element.setAttribute(name, value);
    go(index);
    reset();
    const point = ({ clientX }) => {
      const { left, width } = element.getBoundingClientRect();
      go(indexAt((clientX - left) / width));
    };
    element.addEventListener('pointermove', point);
    element.addEventListener('pointerdown', point);
    element.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && reset());
    element.addEventListener('focus', () => element.matches(':focus-visible') && go(index));
    element.addEventListener('blur', reset);
    element.addEventListener('keydown', (event) => {
      const to = { Home: 0, End: count - 1 }[event.key] ?? (event.key in KEYS ? index + KEYS[event.key] : null);
      if (to === null) return;
      event.preventDefault();
      go(to);
    });
  }

  /** @returns a function that shows only the last days of the chart; null shows all. */
  function readPlot(plot) {
    const points = JSON.parse(plot.dataset.points);
    const names = JSON.parse(plot.dataset.names);
    const { unit, title } = plot.dataset;
    const figure = plot.closest('figure');
    const output = figure.querySelector('output');
    const [area, marks, times] = ['.plot-area', '.marks', '.times'].map((selector) => plot.querySelector(selector));
    // The legend has the highest layer first.
    const legend = [...figure.querySelectorAll('.legend b')].reverse();
    const latest = [output.textContent, ...legend.map((value) => value.textContent)];
    const allTimes = [...times.children];
    const [first, end] = [points[0][0], points.at(-1)[0] + 1];
    let start = first;
    plot.querySelector('.hits').remove();
    for (const name of ['role', 'aria-labelledby']) area.removeAttribute(name);
    area.setAttribute('aria-hidden', 'true');
    const cursor = marks.cloneNode(false);
    cursor.setAttribute('class', 'cursor');
    cursor.append(area.querySelector('.grid').cloneNode());
    cursor.setAttribute('hidden', '');
    area.append(cursor);

    const valueText = (value) => (value === null ? '–' : number.format(value) + unit);
    const describe = ([day, ...values]) => {
      const shown = values.flatMap((value, index) => (value ? [`${names[index]} ${valueText(value)}`] : [])).reverse();
      return `${date.format(day * DAY_MS)}: ${names.length === 1 ? valueText(values[0]) : shown.join(', ')}`;
    };
    makeReadable(plot, {
      label: `${title}. ${plot.querySelector('desc').textContent}`,
      count: points.length,
      indexAt(share) {
        const { left, width } = area.getBoundingClientRect();
        const frame = plot.getBoundingClientRect();
        const day = start + ((share * frame.width + frame.left - left) / width) * (end - start) - 0.5;
        const distances = points.map((point) => Math.abs(point[0] - day));
        return distances.indexOf(Math.min(...distances));
      },
      textOf(index) {
        const [day, ...values] = points[index];
        const x = String(((day + 0.5 - start) / (end - start)) * SIDE);
        const line = cursor.firstChild;
        for (const [name, value] of Object.entries({ x1: x, x2: x, y1: '0', y2: String(SIDE) }))
          line.setAttribute(name, value);
        cursor.removeAttribute('hidden');
        output.textContent = legend.length === 0 ? describe(points[index]) : date.format(day * DAY_MS);
        for (const [layer, value] of legend.entries()) value.textContent = valueText(values[layer] ?? null);
        return describe(points[index]);
      },
      reset() {
        cursor.setAttribute('hidden', '');
        for (const [index, element] of [output, ...legend].entries()) element.textContent = latest[index];
      },
    });

    return (days) => {
      start = days === null ? first : Math.max(first, end - days);
      const left = ((start - first) / (end - first)) * SIDE;
      marks.setAttribute('viewBox', `${left} 0 ${SIDE - left} ${SIDE}`);
      marks.setAttribute('overflow', start === first ? 'visible' : 'hidden');
      if (start === first) return times.replaceChildren(...allTimes);
      const labels = [0.125, 0.375, 0.625, 0.875].map((share, index) => {
        const label = allTimes[0].cloneNode();
        const day = Math.floor(start + share * (end - start));
        label.textContent = (end - start > 200 ? month : shortDate).format(day * DAY_MS);
        label.setAttribute('x', `${100 * share}%`);
        label.setAttribute('class', index % 2 === 0 ? 'tick' : 'tick tick-minor');
        return label;
      });
      times.replaceChildren(...labels);
    };
  }

  const ranges = [...document.querySelectorAll('.plot')].map(readPlot);
  const buttons = [...document.querySelectorAll('.ranges button')];
  for (const button of buttons) {
    button.addEventListener('click', () => {
      for (const one of buttons) one.setAttribute('aria-pressed', String(one === button));
      const { days } = button.dataset;
      for (const show of ranges) show(days === '' ? null : Number(days));
    });
  }

  for (const bars of document.querySelectorAll('.day-bars')) {
    const days = [...bars.children].filter(({ localName }) => localName === 'g');
    const labels = days.map((day) => day.querySelector('title').textContent);
    for (const day of days) day.querySelector('title').remove();
    const output = bars.parentElement.querySelector('output');
    const label = ['title', 'desc'].map((name) => bars.querySelector(`:scope > ${name}`).textContent).join('. ');
    bars.removeAttribute('aria-labelledby');
    const mark = (index) => {
      for (const [place, day] of days.entries()) day.setAttribute('class', place === index ? 'pointed' : '');
    };
    makeReadable(bars, {
      ...{ label, count: days.length, indexAt: (share) => Math.floor(share * days.length) },
      textOf(index) {
        mark(index);
        output.textContent = labels[index];
        return labels[index];
      },
      reset() {
        mark(-1);
        output.textContent = '';
      },
    });
  }
}
