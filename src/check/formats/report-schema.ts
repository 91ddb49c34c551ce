import { z } from 'zod';
import { Report } from '../report.ts';

/** The JSON Schema (draft 2020-12) of what `check --json` prints, as text. A later version may add fields. */
export function reportSchema(): string {
  const schema = z.toJSONSchema(Report, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const { $schema, ...rest } = schema;
  const named = { $schema, $id: 'urn:loopscout:schema:check-report:1', title: 'Report of loopscout check', ...rest };
  return `${JSON.stringify(named, null, 2)}\n`;
}
