import {
  type CheckRules,
  checkKind,
  exitCodesField,
  expectText,
  flagField,
  type Problems,
} from '../check-kind';
import { parseArgv } from './argv';

export const command = checkKind({
  word: 'Command',
  target: { label: 'Program and arguments', example: 'df -P /srv' },
  since: 2,
  startsProgram: true,
  isLocal: true,
  fields: {
    expectText,
    exitCodes: exitCodesField({ label: 'Exit codes', placeholder: '0' }),
    /** An owner allowed it, although the catalog doesn't list it as harmless. */
    isAllowedByOwner: flagField({
      label: 'Allow a command that isn’t known as harmless',
      name: 'allowed by an owner',
      hint: 'Only owners can allow one. It runs as the runner’s account, outside any sandbox.',
    }),
  },
});

export const commandRules = {
  target: 'a program with its arguments',
  facts: {
    exitCode: { shape: 'integer', words: (code) => `exit code ${code}` },
    /** Its beginning. */
    output: { shape: 'text' },
  },
  texts: {
    expectText: 'the output',
    exitCodes: { doc: '`command`: exit codes that count as healthy; 0 by default.' },
    isAllowedByOwner: {
      doc: '`command`: true where an owner of the organization allows a command that the catalog doesn’t list as harmless.',
      comment: 'only an owner can set it',
    },
  },
  problems({ target, isAllowedByOwner }, harmOf): Problems {
    const parsed = parseArgv(target);
    if (!parsed.ok) return { target: parsed.problem };
    const harm = isAllowedByOwner ? null : harmOf(target);
    return harm === null
      ? {}
      : { target: `${harm} Use one that is, or have an owner of the organization allow it.` };
  },
} satisfies CheckRules<typeof command.fields>;
