import type { Command } from 'commander';
import { shellLine } from '@/lib/engine/approvals/words';
import { type ApprovalDto, approvalDtoSchema } from '@/lib/insight/approvals/schema';
import { visibleText } from '@/lib/platform/format/visible-text';
import { pageSchema } from '@/lib/platform/http/cursor';
import type { ApiClient } from '../client';
import type { ContextOf } from '../context';

export function addApprovalCommands(program: Command, contextOf: ContextOf): void {
  const approval = program
    .command('approval')
    .description('Commands and starts of tiers that wait for approval');
  approval
    .command('list')
    .description('List what waits for approval')
    .option('--all', 'also what was decided, has expired or was withdrawn')
    .option('--project <project>', 'only of this project, by id or slug')
    .action(async (options, command) => {
      const { api, print } = contextOf(command);
      const query = new URLSearchParams({
        ...(options.all ? {} : { status: 'pending' }),
        ...(options.project ? { project: options.project } : {}),
      });
      const page = await api.request('GET', `approvals?${query}`, pageSchema(approvalDtoSchema));
      const nothing = options.all ? 'There are no approvals.' : 'Nothing waits for approval.';
      print(page.data.map(approvalLine).join('\n') || nothing, page);
    });
  approval
    .command('show <id>')
    .description('Show what is decided about, who has decided, and whether you may')
    .action(async (id, _options, command) => {
      const { api, print } = contextOf(command);
      const found = await read(api, id);
      print(approvalText(found), found);
    });
  for (const [verb, verdict, description] of [
    ['approve', 'approve', 'Approve a command or the start of a tier, as you have read it'],
    ['refuse', 'refuse', 'Refuse it; the agent gets your note'],
    ['allow', 'allow_again', 'Take back a refusal, which otherwise holds for the incident'],
  ] as const) {
    approval
      .command(`${verb} <id>`)
      .description(description)
      .requiredOption('--digest <digest>', 'the digest that `approval show` has printed')
      .option('--note <text>', 'for the agent and for others', '')
      .action(async (id, { digest, note }, command) => {
        const { api, print } = contextOf(command);
        const path = `approvals/${encodeURIComponent(id)}/decision`;
        const body = { verdict, digest, note };
        const decided = await api.request('POST', path, approvalDtoSchema, body);
        print(approvalText(decided), decided);
      });
  }
}

function read(api: ApiClient, id: string): Promise<ApprovalDto> {
  return api.request('GET', `approvals/${encodeURIComponent(id)}`, approvalDtoSchema);
}

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
