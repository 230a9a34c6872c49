import type { Command } from 'commander';
import { type ApprovalDto, approvalDtoSchema } from '@/lib/insight/approvals/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { approvalLine, approvalText } from '../approval-text';
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
