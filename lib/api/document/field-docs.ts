import { listAgents } from '@/lib/agents/registry';

const AGENTS = listAgents()
  .map(({ name, hasModel }) => `\`${name}\`${hasModel ? '' : ' (without a model)'}`)
  .join(' or ');

/**
 * What a field means, by its name. Where a name has more than one meaning, the resource
 * (`channels/name`) or the field around it (`services.name`) stands before it. Every field of a
 * body has its line; of answers those whose name does not say enough.
 */
export const FIELD_DOCS: Record<string, string> = {
  waitReason:
    'What queued or waiting work waits for: a `runner`, the end of a `pause`, of a `maintenance` window or of a used-up `budget`, the `host` that holds its conversation, its next try (`retry`), or another `version` of the agent’s CLI because the one there is denied. Null otherwise.',
  'chains/endsAt': 'Until when its services escalate nothing; null: until they have recovered.',
  endsAt: 'When it ends by itself; null or left out: when somebody ends it.',
  harness: `The agent: ${AGENTS}.`,

  // Chains
  'chains/tier': 'Tier to begin with; above 1 needs the admin role and stays within the maximum.',
  'chains/prompt': 'Your own words, put before the tier’s prompt.',
  forceFresh:
    'Resume no conversation and recover no checkpoint: tier 1 starts from nothing, every later tier from the handoff.',
  note: 'What you know or will do; shown beside the acknowledgement.',

  // Conversations
  message: 'What you want to know, as text; nothing in it is read as a command.',
  agent: 'Name of one of the project’s agents; without it the one that answered last.',
  'conversations/forceFresh': 'Resume no conversation: the agent starts from the whole transcript.',
  'conversations/project': 'Id or slug of the project; left out where a chain is named.',
  'conversations/chain': 'Id of a chain that has ended, `chn_…`.',
  'conversations/title': 'What people read in lists, on one line.',
  questionId: 'Id of the question, `qst_…`.',
  answers: 'One for every part of the question.',
  question: 'The text of the part, as it was asked.',
  answer: 'The label of a choice, several in commas, or your own words.',

  // Runners
  pool: 'Name of the pool; made when there is none.',
  allowedTiers: 'Tiers the runner may take.',
  slotLimit: 'Attempts at once; null: as many as the host offers.',

  // Webhook endpoints
  url: 'Where events are sent: https, a public address.',
  'webhook-endpoints/description': 'Your own words.',
  eventTypes: 'Events it is subscribed to.',
  projectId: 'Only this project, by id or slug; null: all of them.',
  isEnabled: 'False switches it off and cancels what waits; true gives it a clean record.',
  since: 'Deliveries from this moment on, ISO 8601.',

  // Notification channels
  'channels/name': 'What people read.',
  outcomes: 'Outcomes of chains it is subscribed to.',
  isMuted: 'True stops it and cancels what waits.',
  settings: 'Where messages go. Stored encrypted.',
  'settings.kind': 'By e-mail, or by an Apprise API server.',
  addresses: 'Up to 10 e-mail addresses.',
  serverUrl: 'Address of the Apprise API server; null: the operator’s.',
  urls: 'Apprise URLs; they may hold secrets and are never shown again.',
  configKey: 'Key of a configuration that lies on the server, instead of URLs.',
  tags: 'Which parts of that configuration hear it.',

  // People, tokens, the organization
  email: 'Address of the invitation; the link fits nobody else.',
  role: 'What they may do: viewer reads, operator runs, admin configures, owner deletes.',
  'members/revokeTokens': 'Whether the tokens that the person made end, too.',
  'tokens/name': 'What it is for.',
  scopes: '`all`, or any of `<resource>:read`, `<resource>:write` and `chains:run`.',
  expiresInDays: 'Days from now; null: no end.',
  'organization/name': 'What people read.',
  'organization/slug': 'Its part of addresses. Old addresses lead nowhere.',
  deniedCliVersions:
    'Versions of Claude Code that don’t start: `2.1.197`, or `<2.1.330` for every earlier one.',
  installationDeniedCliVersions: 'The same for the whole installation; its operator sets them.',
  reason: 'Shown beside who did it and when.',
  until: 'When it ends by itself, ISO 8601.',

  // Answers
  trigger:
    'Why it was written: by interval, before a compaction, by the agent, for a person, at the end.',
  digest: 'Markdown; an agent’s own words where `trigger` is `agent`.',
  counts: 'Since the attempt’s process began.',
  queries: 'What it searched for since the checkpoint before, oldest first.',
  remembered: 'What it was told to remember since the checkpoint before, oldest first.',
  projectPathNormalized: 'Without symbolic links; what an earlier cycle is matched by.',
  hookSessionId: 'As the CLI’s hook named its session; null where no hook asked for it.',
  isLate: 'It came under an old fencing number: kept, and deciding nothing.',
  checkpointRequestedAt: 'When somebody asked for a checkpoint that has not come yet; else null.',
  discardedAt: 'When somebody said that nothing of it is to be recovered; else null.',
  recovery: 'The checkpoint whose text stands in the system prompt; null: none does.',
  nextCursor: 'Pass it as `cursor` for the next page; null on the last.',
  costUsd: 'US dollars, summed over the ledger.',
  totalCostUsd: 'US dollars of all sessions, attempts that failed included.',
  estimatedUsd: 'US dollars of it that are an estimate: the process reported no figure.',
  durationMs: 'Milliseconds from start to end.',
  responseTimeMs: 'Milliseconds until the check had its answer.',
  share: 'Share of the context window in use, 0 to 1.',
  threshold: 'The share in force at the decision, 0 to 1.',
  mechanism: 'How the session started: fresh, resume or handoff.',
  argv: 'The exact command line that was started.',
  exit: 'Exit code of the process; null when a signal ended it.',
  seq: 'Without gaps, rising by one.',
  hash: 'SHA-256 in hex, over this entry and the hash of the one before.',
  secret: 'Signs the deliveries. Shown this once.',
  token: 'Shown this once.',
  link: 'Shown this once; null when the mail server took it.',
  'invitations/link': 'Shown this once; null when the mail server took it.',
  verifiedUpTo: 'Everything up to this entry is as it was written.',
  firstBad: 'First entry that does not fit; null when all do.',
  headMatches: 'False when the newest entries were cut off.',
  detail: 'Before and after, or the facts of a decision.',
};

export type JsonSchema = Record<string, unknown> & {
  type?: string | string[];
  description?: string;
  fields?: Readonly<Record<string, string>>;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  prefixItems?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
};

/** Texts that a schema has for the fields below it: its meta `fields`, by path. */
interface OwnTexts {
  texts: Readonly<Record<string, string>>;
  /** Of the schema at hand, below the one with the texts. */
  path: string;
}

/** The schema with what each of its fields means, as far as that is written down. */
export function describeFields(
  { fields, ...schema }: JsonSchema,
  resource: string,
  around = '',
  outer: OwnTexts | null = null,
): JsonSchema {
  const own = fields ? { texts: fields, path: '' } : outer;
  const inner = (child: JsonSchema) => describeFields(child, resource, around, own);
  const described: JsonSchema = { ...schema };
  if (schema.properties) {
    described.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => {
        const below = own && { ...own, path: own.path ? `${own.path}.${name}` : name };
        const field = describeFields(child, resource, name, below);
        return [name, withDoc(field, name, resource, around, below)];
      }),
    );
  }
  if (schema.items) described.items = inner(schema.items);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const) {
    const parts = schema[key];
    if (parts) described[key] = parts.map(inner);
  }
  return described;
}

function withDoc(
  schema: JsonSchema,
  name: string,
  resource: string,
  around: string,
  own: OwnTexts | null,
): JsonSchema {
  const doc =
    schema.description ??
    own?.texts[own.path] ??
    FIELD_DOCS[`${around}.${name}`] ??
    (around === '' ? FIELD_DOCS[`${resource}/${name}`] : undefined) ??
    FIELD_DOCS[name];
  return doc ? { ...schema, description: doc } : schema;
}
