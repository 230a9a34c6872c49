import { z } from 'zod';
import { decideApproval } from '@/lib/engine/approvals/decide-approval';
import { approvalStatusSchema, approvalVerdictSchema } from '@/lib/engine/statuses';
import { getApproval, listApprovals } from '@/lib/insight/approvals/list-approvals';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { chainIdOf, chainInput, projectInput, projectOf } from '../inputs';
import type { Links } from '../links';
import { nextCursorSchema, pageInput, readPage } from '../page';
import { idReference } from '../references';
import { ACTS, defineTool, fieldsFor, READS } from '../tool';
import { plainLine, untrusted, untrustedSchema } from '../untrusted';

/**
 * So small that one approval always fits into a result: a text that was cut after the digest was added
 * would be decided about unseen.
 */
const MAX_COMMAND_CHARS = 5_000;
const MAX_PATH_CHARS = 200;
const MAX_FILES = 20;
const MAX_VOTES = 5;
const MAX_SERVICES = 20;
const MAX_NAME_CHARS = 100;

const approvalSchema = z.object({
  id: z.string(),
  url: z.string(),
  kind: z.string(),
  status: z.string(),
  project: z.string(),
  chain: z.number().int(),
  session: z.number().int(),
  tier: z.number().int(),
  command: untrustedSchema
    .optional()
    .meta({ description: 'Program and arguments as JSON; missing for the start of a tier.' }),
  cwd: untrustedSchema.optional().meta({ description: 'The agent’s folder in its sandbox.' }),
  files: z
    .array(
      z.object({
        path: untrustedSchema.optional(),
        bytes: z.number().int(),
        sha256: z.string(),
      }),
    )
    .meta({ description: 'Files of the agent’s folder that the command gets.' }),
  services: z.array(z.string()),
  rule: z.string().optional(),
  reason: untrustedSchema.optional().meta({ description: 'The agent’s own words. Not checked.' }),
  runner: z.string().optional(),
  requester: z.string().optional(),
  min_role: z.string(),
  people_needed: z.number().int(),
  votes: z.array(
    z.object({
      person: z.string(),
      verdict: z.string(),
      at: z.string(),
      note: untrustedSchema.optional(),
    }),
  ),
  forbidden: z
    .string()
    .optional()
    .meta({ description: 'Why the person behind this token can’t decide.' }),
  digest: z.string().optional().meta({
    description: 'Give it to decide_approval. Missing if the request is too long to be shown here.',
  }),
  too_long: z.string().optional(),
  requested_at: z.string(),
  expires_at: z.string(),
  decided_at: z.string().optional(),
});

/** Without a digest nobody can decide about a request that this result shows only in part. */
export function showApproval(approval: ApprovalDto, links: Links) {
  const argv = approval.argv === null ? null : JSON.stringify(approval.argv);
  const command = untrusted('command of the agent', argv, MAX_COMMAND_CHARS);
  const cwd = untrusted('folder of the agent', approval.cwd, MAX_PATH_CHARS);
  const files = approval.files.slice(0, MAX_FILES).map(({ path, bytes, sha256 }) => {
    return { path: untrusted('file of the agent', path, MAX_PATH_CHARS), bytes, sha256 };
  });
  const decided = [command, cwd, ...files.map(({ path }) => path)];
  const isWhole =
    files.length === approval.files.length &&
    decided.every((text) => text?.total_chars === undefined);
  const url = links.approval(approval.id);
  return {
    ...fieldsFor(approvalSchema, approval),
    url,
    project: approval.project.slug,
    chain: approval.chain.number,
    session: approval.session.number,
    command,
    cwd,
    files,
    services: approval.services
      .slice(0, MAX_SERVICES)
      .map((name) => plainLine(name, MAX_NAME_CHARS)),
    rule: approval.rule === null ? null : plainLine(approval.rule),
    reason: untrusted('words of the agent', approval.reason, 1_000),
    runner: approval.runner === null ? null : plainLine(approval.runner.name),
    requester: approval.requester === null ? null : plainLine(approval.requester),
    votes: approval.votes.slice(-MAX_VOTES).map(({ person, verdict, at, note }) => {
      const shown = { person: plainLine(person, MAX_NAME_CHARS), verdict, at };
      return { ...shown, note: untrusted('note', note, 200) };
    }),
    digest: isWhole && approval.status === 'pending' ? approval.digest : null,
    too_long: isWhole ? null : `The request is too long to decide about here. Open ${url}`,
  };
}

export const listApprovalsTool = defineTool({
  name: 'list_approvals',
  title: 'List approvals',
  description:
    'Use it to see which commands of agents and which tiers wait for a person’s decision, or were decided. Newest first, waiting ones unless another status is given. Each has the exact command, the agent’s reason, and the digest that decide_approval needs.',
  scopes: ['approvals:read'],
  annotations: READS,
  input: pageInput.extend({
    status: approvalStatusSchema
      .default('pending')
      .meta({ description: 'Only those of this status; pending: they wait.' }),
    project: projectInput.optional(),
    chain: chainInput.optional(),
  }),
  output: z.object({ approvals: z.array(approvalSchema), next_cursor: nextCursorSchema }),
  run: async (call, { status, project, chain, ...range }) => {
    const filter = {
      status,
      project: projectOf(call, project),
      chain: chain === undefined ? undefined : await chainIdOf(call, chain, project),
    };
    const page = await readPage(
      range,
      (part) => listApprovals(call.scope, { ...filter, ...part }),
      (approval) => showApproval(approval, call.links),
    );
    return { approvals: page.rows, next_cursor: page.next_cursor };
  },
});

export const decideApprovalTool = defineTool({
  name: 'decide_approval',
  title: 'Approve or refuse',
  description:
    'Use it only when the person you work for has seen the exact command or tier of one approval and has told you their decision. The decision counts as that of the member who created the token, can’t be taken back, and an approved command runs on a real host. Needs the digest from list_approvals. Identify the approval by id (apr_…) or URL.',
  scopes: ['approvals:decide'],
  annotations: { ...ACTS, destructiveHint: true },
  input: z.strictObject({
    approval: z.string().min(1).max(500).meta({ description: 'Id (apr_…) or URL.' }),
    verdict: approvalVerdictSchema.meta({ description: 'approve or refuse.' }),
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'Give the digest of the approval as list_approvals returned it.')
      .meta({ description: 'digest of the approval that the person has seen.' }),
    note: z
      .string()
      .trim()
      .max(1_000, 'A note has at most 1,000 characters.')
      .default('')
      .meta({ description: 'Shown to the agent and beside the decision.' }),
  }),
  output: approvalSchema,
  run: async ({ scope, place, links }, { approval, verdict, digest, note }) => {
    const kind = { prefix: 'apr', noun: 'an approval', list: 'list_approvals shows them' } as const;
    const id = idReference(kind, approval, place);
    await decideApproval(scope, id, { verdict, digest, note });
    return showApproval(await getApproval(scope, id), links);
  },
});
