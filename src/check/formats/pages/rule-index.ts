import { AREAS, type Rule } from '../../rule.ts';
import { AREA_NAMES } from '../told/areas.ts';

/** The index of the rule pages, in Markdown. */
export function ruleIndex(rules: readonly Rule[]): string {
  const sections = AREAS.map((area) => ({ area, members: rules.filter((rule) => rule.area === area) }))
    .filter(({ members }) => members.length > 0)
    .map(({ area, members }) =>
      [
        `## ${AREA_NAMES[area]} (\`${area}\`)`,
        [
          '| rule | holds when it passes | at worst |',
          '| --- | --- | --- |',
          ...members.map(
            ({ id, title, worst }) => `| [${id}](${id}.md) | ${title.replaceAll('|', String.raw`\|`)} | ${worst} |`,
          ),
        ].join('\n'),
      ].join('\n\n'),
    );
  return `${['# Rules of `loopscout check`', INTRODUCTION, ...sections].join('\n\n')}\n`;
}

const INTRODUCTION = `What is looked at on a server, part by part. **fail** keeps clients or directories out, or breaks the specification; **warn** costs
something; **info** is worth knowing. Ids are stable: \`--only\` and \`--skip\` take them, and areas. A rule has nothing to say of a server that it does not
concern, or when what it looks at is missing for a reason that another rule names. \`loopscout check --rule ID\` prints a page.`;
