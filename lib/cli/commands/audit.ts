import type { Command } from 'commander';
import { auditVerdictSchema } from '@/lib/audit/schema';
import { EXIT } from '../exit-code';
import type { ContextOf } from '../program';

export function addAuditCommands(program: Command, contextOf: ContextOf): void {
  const audit = program.command('audit').description('The audit log');
  audit
    .command('verify')
    .description('Compute its hashes again; exit code 5 when it was changed')
    .action(async (_options, command) => {
      const { api, print } = contextOf(command);
      const verdict = await api.request('GET', 'audit/verification', auditVerdictSchema);
      const { checked, firstBad, isIntact } = verdict;
      const broken =
        firstBad === null
          ? `Its newest entries were removed: ${checked} entries remain.`
          : `Entry ${firstBad} of ${checked} does not match what was written.`;
      print(isIntact ? `The audit log is intact: ${checked} entries.` : broken, verdict);
      if (!isIntact) process.exitCode = EXIT.auditBroken;
    });
}
