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
      'Verify the audit log by its hashes and signed anchors; exits with code 5 if it was changed, 7 if that is unknown',
    )
    .action(async (_options, command) => {
      const { api, print, terminal } = contextOf(command);
      const verdict = await api.request('GET', 'audit/verification', auditVerdictSchema);
      print(verdictText(verdict), verdict);
      if (verdict.status === 'changed') terminal.exitCode = EXIT.auditBroken;
      if (verdict.status === 'unknown') terminal.exitCode = EXIT.auditUnknown;
    });
}

function verdictText(verdict: AuditVerdictDto) {
  const { checked, firstBad, headMatches, status, verifiedUpTo, anchor, checkedAt } = verdict;
  const upTo = `unchanged up to entry ${verifiedUpTo}`;
  const entries = formatCounted(checked, 'entry', 'entries');
  if (status === 'intact') {
    return `The audit log is intact: ${entries}, checked at ${checkedAt}. It matches its signed anchors since ${anchor.since}.`;
  }
  if (status === 'unknown') {
    return `Whether the audit log is intact is unknown: the hashes of its ${entries} match, but its anchors are ${anchor.state}, so all hashes may have been computed again. See "The audit log is unknown or changed" in the troubleshooting guide.`;
  }
  if (anchor.state === 'differs') {
    const what = anchor.isMissing ? 'is gone' : 'was written again with another hash';
    return `The audit log is ${upTo}. Entry ${anchor.seq}, which the signed anchor of ${anchor.at} names, ${what} after that time.`;
  }
  if (firstBad === null && !headMatches)
    return `The newest entries of the audit log were removed; the rest is ${upTo}.`;
  return `The audit log is ${upTo}. Entry ${firstBad} does not match what was written.`;
}
