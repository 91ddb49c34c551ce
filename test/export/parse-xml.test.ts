import { describe, expect, test } from 'vitest';
import { elementsOf, parseXml, textOf } from './parse-xml.ts';

describe('the XML parser of the tests', () => {
  test('reads elements, attributes and references', () => {
    const root = parseXml(
      '<?xml version="1.0" encoding="utf-8"?>\n<a x="1 &lt; 2"><b>&#60;i&#x3e; &amp;amp;</b><c/></a>\n',
    );
    expect(root.attributes).toEqual({ x: '1 < 2' });
    expect(elementsOf(root, 'b').map(textOf)).toEqual(['<i> &amp;']);
  });

  test.each([
    '<a>',
    '<a></b>',
    '<a/><b/>',
    'text',
    '',
    '<a>&</a>',
    '<a>&nosuch;</a>',
    '<a>&#0;</a>',
    '<a>&#xfffe;</a>',
    '<a>\ufffe</a>',
    '<a>\u0000</a>',
    '<a>\ud800</a>',
    '<a x=1/>',
    '<a x="<"/>',
    '<a x="1" x="2"/>',
    '<a>]]></a>',
    '<a><!-- x --></a>',
    '<a><![CDATA[x]]></a>',
    '<!DOCTYPE a><a/>',
    '<a>< b</a>',
  ])('refuses %j', (text) => {
    expect(() => parseXml(text)).toThrow();
  });
});
