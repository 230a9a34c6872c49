/** Approvals as tools return them. */
import { z } from 'zod';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import type { Links } from './links';
import { plainLine, untrusted, untrustedSchema } from './untrusted';

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

export const approvalSchema = z.object({
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
    id: approval.id,
    url,
    kind: approval.kind,
    status: approval.status,
    project: approval.project.slug,
    chain: approval.chain.number,
    session: approval.session.number,
    tier: approval.tier,
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
    min_role: approval.minRole,
    people_needed: approval.peopleNeeded,
    votes: approval.votes.slice(-MAX_VOTES).map(({ person, verdict, at, note }) => {
      const shown = { person: plainLine(person, MAX_NAME_CHARS), verdict, at };
      return { ...shown, note: untrusted('note', note, 200) };
    }),
    forbidden: approval.forbidden,
    digest: isWhole && approval.status === 'pending' ? approval.digest : null,
    too_long: isWhole ? null : `The request is too long to decide about here. Open ${url}`,
    requested_at: approval.requestedAt,
    expires_at: approval.expiresAt,
    decided_at: approval.decidedAt,
  };
}
