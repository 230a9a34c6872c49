import type { Command } from 'commander';
import { type AuditVerdictDto, auditVerdictSchema } from '@/lib/identity/audit/schema';
import { formatCounted } from '@/lib/platform/format/count';
import type { ContextOf } from '../context';
import { EXIT } from '../exit-code';

export function addAuditCommands(program: Command, contextOf: ContextOf): void {
  const audit = program.command('audit').description('The audit log');
  audit
    .command('verify')
    .description(
      'Verify the audit log by recomputing its hashes; exits with code 5 if it was changed',
    )
    .action(async (_options, command) => {
      const { api, print } = contextOf(command);
      const verdict = await api.request('GET', 'audit/verification', auditVerdictSchema);
      print(verdictText(verdict), verdict);
      if (!verdict.isIntact) process.exitCode = EXIT.auditBroken;
    });
}

function verdictText({ checked, firstBad, isIntact, verifiedUpTo, checkedAt }: AuditVerdictDto) {
  const upTo = `unchanged up to entry ${verifiedUpTo}`;
  if (isIntact)
    return `The audit log is intact: ${formatCounted(checked, 'entry', 'entries')}, checked at ${checkedAt}.`;
  if (firstBad === null)
    return `The newest entries of the audit log were removed; the rest is ${upTo}.`;
  return `The audit log is ${upTo}. Entry ${firstBad} does not match what was written.`;
}
