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
/** The clauses that cover a statement of the specification. */
const covering = new Set(STATEMENTS.flatMap((statement) => statement.clauses));

describe('the statements of the specification', () => {
  it('each have clauses that exist, or a reason why no clause is possible', () => {
    const ids = new Set(clauses.map(({ id }) => id));
    expect([...covering].filter((id) => !ids.has(id))).toEqual([]);
    const hasReason = ({ untestable }: Statement) => untestable !== null;
    const hasClauses = (statement: Statement) => statement.clauses.length > 0;
    expect(STATEMENTS.filter((statement) => hasReason(statement) === hasClauses(statement))).toEqual([]);
    expect(STATEMENTS.length).toBeGreaterThan(200);
  });

  it('cover every section from 2 to 9, and name the clause of each field', () => {
    const sections = new Set(STATEMENTS.map(({ section }) => section));
    const wanted = [...specification.map(([section]) => section), '3', '6', '7'];
    expect(wanted.filter((section) => !sections.has(section))).toEqual([]);
    // The list of the specification has the fields of an object such as `account` of a video, not the object.
    const containers = RESOURCE_TABLES.flatMap(({ name, fields }) =>
      Object.entries(fields).flatMap(([path, type]) => (type === 'object' ? [`${name}.${path}`] : [])),
    );
    const fieldIds = RESOURCE_TABLES.flatMap(({ name, fields }) =>
      Object.keys(fields).map((path) => `${name}.${path.replace('[]', '')}`),
    );
    expect(fieldIds.filter((id) => !covering.has(id) && !containers.includes(id))).toEqual([]);
  });

  it('cover every clause about servers that is not from an RFC', () => {
    // As above, the specification lists the fields of these objects, not the objects.
    const containers = /^video\.(?:account|media|permissions|audio|meta)$/;
    // Clauses about clients may ask for good behaviour that no sentence of the specification asks for.
    const fromSpecification = SERVER_CLAUSES.filter(({ id, rfc }) => rfc === undefined && !containers.test(id));
    expect(fromSpecification.filter(({ id }) => !covering.has(id))).toEqual([]);
  });
});

describe('docs/', () => {
  const docs = join(import.meta.dirname, '../../docs');

  it('has the page of the clauses (npm test -- --update writes it)', async () => {
    await expect(clausesPage()).toMatchFileSnapshot(join(docs, 'conform-clauses.md'));
  });

  it('names only existing clauses in the example of known failures for implementers', () => {
    // The example is JSON: clause ids with a comment each.
    const page = readFileSync(join(docs, 'conform.md'), 'utf8');
    const named = [...page.matchAll(/"([a-z]+\.[\w.-]+)": "/g)].map(([, id]) => id);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((id) => !clauses.some((clause) => clause.id === id))).toEqual([]);
  });
});
