/** An approval as the command line prints it. */
import { shellLine } from '@/lib/engine/approvals/words';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { visibleText } from '@/lib/platform/format/visible-text';

/** One line of a list: id, status, project, chain, what. */
export function approvalLine(approval: ApprovalDto): string {
  const { id, status, project, chain } = approval;
  return visibleText(
    `${id}  ${status.padEnd(9)}  ${project.slug} #${chain.number}  ${whatOf(approval)}`,
  );
}

/**
 * Everything that a person has to know before they decide. What an agent wrote can't look like another
 * line: further lines are indented below their name.
 */
export function approvalText(approval: ApprovalDto): string {
  const { project, chain, tier, services, runner, files } = approval;
  const facts: [string, string | null][] = [
    ['Status', approval.status],
    ['Chain', `#${chain.number} of ${project.name}, tier ${tier}`],
    ['Services', services.join(', ') || 'none named'],
    ['Agent’s words', approval.reason || 'none'],
    ['Folder', approval.cwd === null ? null : shellLine([approval.cwd])],
    ['Host', runner?.name ?? null],
    ['Rule', approval.rule],
    ...files.map((file): [string, string] => [
      'File',
      `${shellLine([file.path])}, ${file.bytes} bytes, SHA-256 ${file.sha256}`,
    ]),
    ['Expires', approval.expiresAt],
    ['Decides', decidesText(approval)],
    ...approval.votes.map((vote): [string, string] => [
      vote.verdict === 'approve' ? 'Approved by' : 'Refused by',
      `${vote.person}${vote.note === '' ? '' : `: ${vote.note}`}`,
    ]),
    ['Allowed again', approval.allowedAgain && `by ${approval.allowedAgain.person}`],
    ['Used', approval.usedAt],
    ['You', approval.forbidden],
    ['Digest', approval.digest],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [`  ${`${name}:`.padEnd(INDENT)}${indented(value)}`],
  );
  return visibleText([whatOf(approval), ...lines].join('\n'));
}

const INDENT = 15;

function indented(value: string): string {
  return value.split(/\r\n|\r|\n/).join(`\n${' '.repeat(INDENT + 4)}`);
}

function whatOf({ argv, tier }: ApprovalDto): string {
  return argv === null ? `Start of tier ${tier}` : shellLine(argv);
}

function decidesText({ minRole, peopleNeeded, requester }: ApprovalDto): string {
  const who = minRole === 'admin' ? 'an admin or owner' : 'an operator, admin or owner';
  const people = peopleNeeded === 2 ? `two people, each ${who}` : who;
  return requester === null ? people : `${people}, but not ${requester}, who started the chain`;
}
