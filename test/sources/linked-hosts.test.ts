import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readItem } from '../../src/sources/formats/read-item.ts';
import { importFile } from './read-source.ts';

const read = (text: string) => {
  const item = readItem(1, text, { allowSuffixes: ['example'] });
  return item.kind === 'domain' ? item.domain : item.kind === 'refused' ? item.reason : item.kind;
};

describe('a cell with a link', () => {
  it.each([
    ['Markdown', '[Loops](https://a.example)'],
    ['a name as the label', '[a.example](https://a.example/about)'],
    ['another name as the label', '[b.example](https://a.example)'],
    ['punctuation in the label', '[Clips & more: a, b; site | 1.0](https://a.example)'],
    ['a title', '[Loops](https://a.example "A site, b.example")'],
    ['angle brackets', '[Loops](<https://a.example/x y>)'],
    ['brackets in the path', '[Loops](https://a.example/wiki/x_(y))'],
    ['an image', '[![logo](https://img.shields.io/a.svg)](https://a.example)'],
    ['an image beside it', '![logo](https://cdn.example/a.png) [Loops](https://a.example)'],
    ['a list mark', '- **[Loops](https://a.example)** – for clips. Since 2024.'],
    ['emphasis around words', '***Clips: [Loops](https://a.example)***, **new**'],
    ['emphasis in a table', '|**[Loops](https://a.example)**|*5 users*|'],
    ['a remark with asterisks', '[Loops](https://a.example) *** closed ***'],
    ['brackets around it', '[[Loops](https://a.example)]'],
    ['twice the same host', '[Loops](https://a.example) ([join](https://A.example/signup))'],
    ['a path as the target', '[a.example](/servers/1)'],
    ['HTML', '<a href="https://a.example" rel="nofollow">Loops</a>'],
    ['HTML without quotes', '<td><b><A HREF=https://a.example/>b.example</A></b></td>'],
    ['HTML in single quotes', "<a class='x' href='//a.example'><img src='https://cdn.example/x.png'> Loops</a>"],
    ['an autolink', '<https://a.example/>'],
    ['an autolink with words', 'Loops: <https://a.example/>'],
  ])('names its host: %s', (_form, text) => {
    expect(read(text)).toBe('a.example');
  });

  it.each([
    '[A](https://a.example) [B](https://b.example)',
    '[A](https://a.example), b.example',
    '<a href="https://a.example">A</a><br><a href="https://b.example">B</a>',
    '<https://a.example> <https://b.example>',
  ])('with two hosts is refused as such: %s', (text) => {
    expect(read(text)).toBe('two-hosts');
  });

  it.each([
    ['[Loops](/servers/1)', 'single-label'],
    ['[Loops](https://cl**s.example)', 'bad-label'],
    ['[x](mailto:me@a.example)', 'single-label'],
  ])('that names no host is refused for its own reason: %s', (text, reason) => {
    expect(read(text)).toBe(reason);
  });

  it.each([
    'media.***[y.example:8443](/i)',
    'media.***[y](https://y.example)',
    '***[y.example](https://y.example)',
    '***[y.example](/x)***.a.example',
    '[y.example](/x)***.a.example',
    'media.***<a href="https://y.example">y</a>',
    'media.***<b><a href="https://y.example">y</a></b>',
    '<a href="https://y.example">y</a>&#42;.a.example',
    'media.***<https://y.example>',
    'media.██[y.example](/i)',
    'media…[y.example](/i)',
    'media[.][y.example](/i)',
    'media(dot)[y.example](/i)',
    'media[dot][y.example](/i)',
    'media\u200b[y.example](/i)',
    'b.example/***[y.example](/i)',
  ])('that touches a mask is a fragment of a longer name: %s', (text) => {
    expect(read(text)).toBe('bad-label');
  });

  it('never takes a hostile text for long', () => {
    for (const part of [
      '**a',
      '*[a](b)',
      '[',
      '![',
      '[](',
      '<a href=',
      '<a ',
      '[a](b "',
      '![]()',
      '[![](',
      '<a href="x">',
      '<//',
    ])
      read(part.repeat(4_096 / part.length));
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('[', ']', '(', ')', '!', '<', '>', 'a', ' href=', '"', '//', ' ', '*', '</a>')),
        (parts) => {
          read(parts.join(''));
        },
      ),
    );
  });
});

describe('a file of links', () => {
  it.each([
    [
      'list.csv',
      'Instance,Users\n[Loops](https://a.example),5\n"[B, the site](https://b.example)",6\n',
      { key: 'Instance' },
    ],
    ['without-header.csv', '[Loops](https://a.example),5\n<a href=https://b.example>B</a>,6\n', {}],
    ['list.md', '# Servers\n\n- [Loops](https://a.example) – clips\n* <https://b.example>\n', {}],
    ['list.json', JSON.stringify(['[Loops](https://a.example)', { domain: '<a href="https://b.example">B</a>' }]), {}],
  ])('is read: %s', async (name, content, settings) => {
    const { domains, report } = await importFile(name, content, settings);
    expect([domains, report.refused]).toEqual([['a.example', 'b.example'], 0]);
  });
});
