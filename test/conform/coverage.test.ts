import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SERVER_CLAUSES } from '../../src/conform/clauses/clauses.ts';
import { CLIENT_CLAUSES } from '../../src/conform/clauses/client.ts';
import { RESOURCE_TABLES } from '../../src/conform/clauses/resource-fields.ts';
import { specification } from '../reference/specification-list.ts';
import { clausesPage } from './clauses-page.ts';
import { STATEMENTS, type Statement } from './statements.ts';

const clauses = [...SERVER_CLAUSES, ...CLIENT_CLAUSES];

describe('the statements of the specification', () => {
  it('each have clauses that exist, or a reason why no clause is possible', () => {
    const ids = new Set(clauses.map(({ id }) => id));
    expect(STATEMENTS.flatMap((statement) => statement.clauses).filter((id) => !ids.has(id))).toEqual([]);
    const hasReason = ({ untestable }: Statement) => untestable !== null;
    const hasClauses = (statement: Statement) => statement.clauses.length > 0;
    expect(STATEMENTS.filter((statement) => hasReason(statement) === hasClauses(statement))).toEqual([]);
    expect(STATEMENTS.length).toBeGreaterThan(200);
  });

  it('cover every section from 2 to 9, and every field with its own clause', () => {
    const sections = new Set(STATEMENTS.map(({ section }) => section));
    const wanted = [...specification.map(([section]) => section), '3', '6', '7'];
    expect(wanted.filter((section) => !sections.has(section))).toEqual([]);
    const listed = new Set(STATEMENTS.flatMap((statement) => statement.clauses));
    // The list names the fields of objects such as `account` of a video, not the objects.
    const containers = RESOURCE_TABLES.flatMap(({ name, fields }) =>
      Object.entries(fields).flatMap(([path, type]) => (type === 'object' ? [`${name}.${path}`] : [])),
    );
    const fieldIds = RESOURCE_TABLES.flatMap(({ name, fields }) =>
      Object.keys(fields).map((path) => `${name}.${path.replace('[]', '')}`),
    );
    expect(fieldIds.filter((id) => !listed.has(id) && !containers.includes(id))).toEqual([]);
  });

  it('cover every clause about servers that is not from an RFC', () => {
    const listed = new Set(STATEMENTS.flatMap((statement) => statement.clauses));
    const containers = /^video\.(?:account|media|permissions|audio|meta)$/;
    const unlisted = clauses.filter(({ id, rfc }) => !listed.has(id) && rfc === undefined && !containers.test(id));
    // Clauses about clients may ask for good behaviour that no sentence of the specification asks for.
    expect(unlisted.filter(({ subject }) => subject === 'server')).toEqual([]);
  });
});

describe('docs/', () => {
  const docs = join(import.meta.dirname, '../../docs');

  it('has the page of the clauses (npm test -- --update writes it)', async () => {
    await expect(clausesPage()).toMatchFileSnapshot(join(docs, 'conform-clauses.md'));
  });

  it('names only existing clauses on the page for implementers', () => {
    const page = readFileSync(join(docs, 'conform.md'), 'utf8');
    const named = [...page.matchAll(/"([a-z]+\.[\w.-]+)": "/g)].map(([, id]) => id);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((id) => !clauses.some((clause) => clause.id === id))).toEqual([]);
  });
});
