/** What agents, logs, systems and people write reaches a client as data, whatever it says. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { askTurn } from '@/lib/conversations/turns';
import { startChain } from '@/lib/engine/chains/start-chain';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { MAX_RESULT_CHARS } from '@/lib/mcp/fit';
import { TOOLS } from '@/lib/mcp/registry';
import { UNTRUSTED_NOTE } from '@/lib/mcp/untrusted';
import { encodeId } from '@/lib/platform/ids';
import { seedApproval } from '@/tests/support/cast/approval';
import { seedIncident } from '@/tests/support/cast/incident';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { type ApiServer, startApiServer } from '../api/support/server';
import { answerNext } from '../conversations/support/asking';
import { HOSTILE, MARK, playHostileAttempt, unframed, writeHostileRows } from './support/hostile';
import { connect, type McpSession, textOf } from './support/mcp-client';

useTestDatabase();

let cast: Cast;
let server: ApiServer;
let session: McpSession;
let args: Record<string, Record<string, unknown>>;
let statusOfTrouble: unknown;
beforeAll(async () => {
  cast = await makeCast();
  const { alice } = cast;
  server = await startApiServer('mcp');
  const { chainId, number } = await startChain(alice, {
    projectId: cast.projectId,
    trigger: 'manual',
  });
  await playHostileAttempt(cast);
  await playHostileAttempt(cast);
  await playHostileAttempt(cast);
  const { token } = await createApiToken(alice, {
    name: `${MARK} token`,
    scopes: ['all'],
    expiresInDays: 1,
  });
  session = await connect('modern', { url: server.url, token });
  statusOfTrouble = await session.ok('get_status');
  await seedApproval(alice);
  await writeHostileRows(cast);
  const { conversationId } = await startConversation(alice, {
    chain: encodeId('chn', chainId),
    message: HOSTILE,
    forceFresh: false,
  });
  await answerNext(cast.runner, HOSTILE);
  await askTurn(alice, conversationId, { message: HOSTILE, forceFresh: false });
  await answerNext(cast.runner, HOSTILE);
  const chain = { chain: number, project: cast.projectSlug };
  args = {
    get_chain: chain,
    get_session: { session: 1, project: cast.projectSlug },
    read_log: { session: 1, project: cast.projectSlug },
    search_logs: { query: MARK },
    list_commands: chain,
    list_approvals: {},
    list_incidents: { state: 'any' },
    get_incident: { incident: await seedIncident(alice, new Date(), HOSTILE) },
    get_answer: { conversation: conversationId },
    list_audit_entries: { limit: 50 },
  };
});
afterAll(async () => {
  await session.close();
  await server.close();
});

/** Tools whose result has something from outside in this organization. */
const QUOTING = [
  'list_projects',
  'list_incidents',
  'get_incident',
  'list_chains',
  'get_chain',
  'get_session',
  'read_log',
  'search_logs',
  'list_commands',
  'list_approvals',
  'get_answer',
  'list_audit_entries',
];
const reading = TOOLS.filter(({ annotations }) => annotations.readOnlyHint);

it.each(reading.map(({ name }) => name))(
  '[INC-4.3] [INC-1.4] %s frames what others wrote, and stays below the size of a result',
  async (name) => {
    const result = await session.call(name, args[name] ?? {});
    expect(result.isError, textOf(result)).not.toBe(true);
    const { structuredContent } = result;
    expect(unframed(structuredContent)).toEqual([]);
    expect(JSON.stringify(structuredContent).length).toBeLessThan(MAX_RESULT_CHARS);
    // The text, for clients that don't read the structure, is the same.
    expect(JSON.parse(textOf(result))).toEqual(structuredContent);
    const text = JSON.stringify(structuredContent);
    expect(text.includes(MARK), name).toBe(QUOTING.includes(name));
    if (QUOTING.includes(name)) {
      expect(structuredContent).toMatchObject({ note: UNTRUSTED_NOTE });
    }
    // Nothing acts on a terminal or turns the reading direction.
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u202e');
  },
);

it('[INC-4.3] [INC-1.4] get_status says nothing in an agent’s words about a chain that needs a human', () => {
  expect(JSON.stringify(statusOfTrouble)).toContain('needs_human');
  expect(JSON.stringify(statusOfTrouble)).not.toContain(MARK);
});

it('[INC-4.3] the digest of a command is returned with the whole command, and never with a part', async () => {
  const { approvals } = (await session.ok('list_approvals')) as {
    approvals: { digest?: string; command: { untrusted_text: string } }[];
  };
  expect(approvals).toHaveLength(1);
  expect(approvals[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(approvals[0]?.command.untrusted_text).toContain(MARK);
});
