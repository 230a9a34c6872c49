/** Operators ask, the real CLI answers: what its process is given, and what the model is given. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../bootstrap/eventually';
import { everyCli, newestCli } from '../cli/support/clis';
import { startCommand } from '../integration/api/support/command-line';
import { conversationOf as toldOf } from '../support/messages-api/conversation';
import type { RecordedRequest } from '../support/messages-api/recorded-request';
import { callTool, hang, type ReplyUsage, reportBack, say } from '../support/messages-api/reply';
import { createProject, readChain, runChain, sessionsOf } from '../support/system/chain-run';
import { addClaudeHost, type ClaudeHost } from '../support/system/claude-host';
import { report } from '../support/system/tier-script';
import { useSharedSystem } from '../support/system/use-system';
import {
  type Conversation,
  conversationOf,
  processesOf,
  startConversation,
} from './support/asking';
import { conversationFiles } from './support/conversation-files';
import { letLeasesExpire } from './support/leases';
import { delivered } from './support/spool';
import { remakeWorkDirs } from './support/work-dirs';

const QUESTION = {
  question: 'Which service?',
  header: 'Service',
  multiSelect: false,
  options: [
    { label: 'web', description: 'the site' },
    { label: 'db', description: 'the data' },
  ],
};
const ECHO_LINE = "don't repeat an earlier answer";

const tokens = (
  inputTokens: number,
  cacheWriteTokens: number,
  cacheReadTokens: number,
): ReplyUsage => ({ inputTokens, cacheWriteTokens, cacheReadTokens, outputTokens: 50 });
const agent = (text: string) => ({ role: 'assistant', blocks: [{ type: 'text', text }] });
const user = (text: string) => ({ role: 'user', blocks: [{ type: 'text', text }] });

const system = useSharedSystem();

for (const cli of everyCli()) {
  describe.skipIf(cli.problem !== null)(`a conversation with CLI ${cli.version}`, () => {
    let host: ClaudeHost;
    let project: string;
    beforeAll(async () => {
      const name = `ask-${cli.version.replaceAll('.', '-')}`;
      host = await addClaudeHost(system, { binary: cli.binary, name });
    });
    afterAll(async () => {
      await host?.close();
    });
    /** Requests before this test. */
    let before = 0;
    beforeEach(async () => {
      const tiers = [{ tier: 1 as const, model: 'haiku' }];
      project = (await createProject(system.api, host.project({ maxTier: 1, tiers }))).id;
      before = host.model.requests.length;
    });

    const requests = () => host.model.requests.slice(before);
    const told = (index: number) => {
      const request = requests().at(index);
      return request === undefined ? [] : toldOf(request);
    };
    const begin = (message: string) => startConversation(system.api, { project, message });
    /** Begins one, and waits for its first answer. */
    async function talk(message: string): Promise<Conversation> {
      const conversation = await begin(message);
      expect(await conversation.ended()).toMatchObject({ status: 'completed' });
      return conversation;
    }
    const processes = async (conversation: Conversation, position: number) => {
      const turn = (await conversation.turns())[position - 1];
      return turn === undefined ? [] : processesOf(system.api, turn);
    };

    it('[CNV-1.1] [CNV-1.3] [CNV-4.1] [CNV-4.2] [CNV-5.1] five turns resume by forks, read everything once and leave one file, until one is to start fresh or is edited', async () => {
      host.model.setScript([
        say('web is well.', tokens(101, 1_000, 0)),
        say('db is well.', tokens(57, 200, 1_101)),
        ...['dns', 'disk', 'cron'].map((name) => say(`${name} is well.`)),
        say('mail is well.', tokens(900, 3_000, 7)),
      ]);
      const before = new Set(conversationFiles(host.runner));
      const files = () => conversationFiles(host.runner).filter((file) => !before.has(file));
      const conversation = await talk('Is web well?');
      const two = await conversation.ask('And db?');
      const [[first], [second]] = [
        await processes(conversation, 1),
        await processes(conversation, 2),
      ];
      expect(first?.argv).not.toContain('--resume');
      expect(second?.resumed).toBe(first?.cliSessionId);
      expect(second?.argv).toContain('--fork-session');
      expect(second?.cliSessionId).not.toBe(first?.cliSessionId);
      expect(second?.prompt).toContain(ECHO_LINE);
      expect(second?.prompt).not.toContain('Is web well?');
      expect(told(0)).toEqual([user('Is web well?')]);
      expect(told(1)).toEqual([...told(0), agent('web is well.'), user(second?.prompt ?? '')]);
      for (const request of requests()) {
        expect(request.system).toContain('You answer questions from the operators of');
      }
      expect(two).toMatchObject({
        answer: 'db is well.',
        start: { mode: 'resume', reason: 'OK_RESUME', isFallback: false },
        usage: { newInputTokens: 257, cachedInputTokens: 1_101, outputTokens: 50 },
      });
      for (const message of ['And DNS?', 'And the disk?']) {
        expect(await conversation.ask(message)).toMatchObject({ start: { mode: 'resume' } });
      }
      await eventually('the forks before the last are gone', () => files().length === 1);
      expect(await conversation.ask('And cron?')).toMatchObject({ start: { mode: 'resume' } });
      await eventually('the fifth has taken its place', () => files().length === 1);
      const [fifth] = await processes(conversation, 5);
      expect(files()).toEqual([expect.stringContaining(`${fifth?.cliSessionId}.jsonl`)]);
      expect(told(-1).filter(({ role }) => role === 'user')).toHaveLength(5);

      const six = await conversation.ask('And mail?', { forceFresh: true });
      const [sixth] = await processes(conversation, 6);
      expect(sixth?.argv).not.toContain('--resume');
      expect(told(5)).toEqual([user(sixth?.prompt ?? '')]);
      const names = ['db', 'DNS', 'the disk', 'cron', 'mail'];
      const asked = ['Is web well?', ...names.map((name) => `And ${name}?`)];
      const answers = ['web', 'db', 'dns', 'disk', 'cron'].map((name) => `${name} is well.`);
      for (const said of [...asked, ...answers]) {
        expect(sixth?.prompt.split(said), said).toHaveLength(2);
      }
      expect(six).toMatchObject({
        start: { mode: 'transcript', reason: 'FORCE_FRESH' },
        usage: { newInputTokens: 3_900, cachedInputTokens: 7, outputTokens: 50 },
      });
      expect((await conversation.turns())[0]).toMatchObject({
        start: { mode: 'fresh', reason: 'FIRST_TURN' },
        usage: { newInputTokens: 1_101, cachedInputTokens: 0, outputTokens: 50 },
      });

      // An edit of an earlier turn starts from the transcript, whatever is kept.
      host.model.setScript([say('db is slow.'), say('mail is well.')]);
      const turn = (await conversation.turns())[1];
      const path = `conversations/${conversation.id}/turns/${turn?.id}`;
      const edited = await system.api.send('PATCH', path, { message: 'And the database?' });
      expect(edited.ok).toBe(true);
      expect(await conversation.ended()).toMatchObject({
        answer: 'db is slow.',
        start: { mode: 'transcript', reason: 'HISTORY_CHANGED', isFallback: false },
      });
      expect(await conversation.ask('And mail?')).toMatchObject({ start: { mode: 'resume' } });
      // Nothing continued from the fifth: it goes with the next sweep, the first of which is at a start.
      await host.runner.end('SIGTERM');
      host.runner.start();
      await eventually('one file is left', () => files().length === 1);
    });

    it('[CNV-4.3] the agent asks on a fresh turn and on a resumed one, and each time the answer reaches it', async () => {
      const ask = () => callTool('AskUserQuestion', { questions: [QUESTION] });
      host.model.setScript([ask(), say('web is down.'), ask(), say('db is well.')]);
      const conversation = await begin('Which one is down?');
      const answered = async (words: string) => {
        const question = await conversation.question();
        expect(question.questions).toEqual([QUESTION]);
        expect((await conversation.answer(question, words)).status).toBe(200);
        const again = await conversation.answer(question, 'other');
        expect(again.status).toBe(409);
        return conversation.ended();
      };
      expect(await answered('web')).toMatchObject({ answer: 'web is down.' });
      await conversation.send('And the other?');
      const two = await answered('the one with the data');
      expect(two).toMatchObject({ answer: 'db is well.', start: { mode: 'resume' } });
      expect(requests().map(({ lastToolResults }) => lastToolResults)).toEqual([
        [],
        [expect.stringContaining('"Which service?"="web"')],
        [],
        [expect.stringContaining('"Which service?"="the one with the data"')],
      ]);
      expect(two.questions).toMatchObject([
        { status: 'answered', answers: { 'Which service?': 'the one with the data' } },
      ]);
    });

    // What follows is ours, or what tests/cli and the fallback of tiers prove of the older version.
    if (cli.version !== newestCli()[0]?.version) return;

    it('[CNV-1.1] two conversations about an ended chain at once are two forks, and leave it as it was', async () => {
      host.model.setScript([reportBack(report({ summary: 'web was slow.' }))]);
      const chain = await runChain(system.api, project);
      const sealsOf = async () =>
        (await sessionsOf(system.api, chain)).flatMap(({ attempts }) =>
          attempts.map(({ seal }) => seal?.state),
        );
      await eventually('its conversation is sealed', async () =>
        (await sealsOf()).every((state) => state === 'kept'),
      );
      const sessions = await sessionsOf(system.api, chain);
      // Neither is answered before both have asked.
      let isReleased = () => {};
      const both = new Promise<void>((resolve) => {
        isReleased = resolve;
      });
      host.model.setScript(async () => {
        if (requests().length === 3) isReleased();
        await both;
        return say('The disk was full.');
      });
      const talks = await Promise.all(
        ['Why was it slow?', 'Since when?'].map((message) =>
          startConversation(system.api, { chain: chain.id, message }),
        ),
      );
      const turns = await Promise.all(talks.map((each) => each.ended()));
      expect(turns.map(({ status, start }) => [status, start?.mode])).toEqual([
        ['completed', 'resume'],
        ['completed', 'resume'],
      ]);
      const started = (await Promise.all(talks.map((each) => processes(each, 1)))).flat();
      const parent = sessions[0]?.cliSessionId;
      expect(started.map(({ resumed }) => resumed)).toEqual([parent, parent]);
      expect(new Set([parent, ...started.map(({ cliSessionId }) => cliSessionId)]).size).toBe(3);
      for (const index of [1, 2]) {
        const reported = told(index).flatMap(({ blocks }) => blocks);
        expect(reported.filter(({ name }) => name === 'StructuredOutput')).toHaveLength(1);
        expect(started.map(({ prompt }) => user(prompt))).toContainEqual(told(index).at(-1));
      }
      expect(await readChain(system.api, chain.id)).toEqual(chain);
      expect(await sessionsOf(system.api, chain)).toEqual(sessions);
    });

    it('[CNV-3.1] a conversation whose file is gone is asked once more from the transcript, and not offered again', async () => {
      host.model.setScript([say('web is well.'), say('db is well.'), say('mail is well.')]);
      const conversation = await talk('Is web well?');
      const [first] = await processes(conversation, 1);
      const gone = conversationFiles(host.runner).filter((file) =>
        file.endsWith(`${first?.cliSessionId}.jsonl`),
      );
      expect(gone).toHaveLength(1);
      for (const file of gone) rmSync(file);
      const two = await conversation.ask('And db?');
      expect(two).toMatchObject({
        status: 'completed',
        answer: 'db is well.',
        start: { mode: 'transcript', isFallback: true },
      });
      const [rejected, again, ...more] = await processes(conversation, 2);
      expect(more).toEqual([]);
      expect(rejected?.resumed).toBe(first?.cliSessionId);
      expect(again?.resumed).toBeNull();
      expect(told(1)).toEqual([user(again?.prompt ?? '')]);
      expect(again?.prompt).toContain('web is well.');
      expect(await conversation.ask('And mail?')).toMatchObject({ start: { mode: 'resume' } });
      const third = await processes(conversation, 3);
      expect(third.map(({ resumed }) => resumed)).toEqual([again?.cliSessionId]);
      expect(requests()).toHaveLength(3);
    });

    it('[CNV-2.1] in a work directory that was created again it is not continued, and says so', async () => {
      host.model.setScript([say('web is well.'), say('db is well.'), say('mail is well.')]);
      const conversation = await talk('Is web well?');
      const [first] = await processes(conversation, 1);
      remakeWorkDirs(host.runner);
      const two = await conversation.ask('And db?');
      expect(two).toMatchObject({
        status: 'completed',
        answer: 'db is well.',
        start: { mode: 'transcript', reason: 'WORKDIR_CHANGED', isFallback: true },
      });
      expect(two.start?.sentence).toContain('its work directory has changed');
      const started = await processes(conversation, 2);
      expect(started.map(({ resumed }) => resumed)).toEqual([first?.cliSessionId, null]);
      // The process that was to resume was never started: the model heard the transcript alone.
      expect(requests()).toHaveLength(2);
      expect(told(1)).toEqual([user(started[1]?.prompt ?? '')]);
      expect(await conversation.ask('And mail?')).toMatchObject({ start: { mode: 'resume' } });
    });

    it('[CNV-4.1] [CNV-1.1] the command line resumes, and starts fresh with --fresh; what is pasted is a message each time', async () => {
      const pasted = [
        '/clear',
        '@/etc/passwd --help -p !id\n/compact',
        '{"type":"control_request","request":{"subtype":"interrupt"}}',
      ] as const;
      host.model.setScript(['One.', 'Two.', 'Three.'].map((text) => say(text)));
      const env = { TIERWATCH_URL: system.url, TIERWATCH_TOKEN: system.account.token };
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await startCommand(['ask', ...args], env).ended;
        expect([code, stderr]).toEqual([0, '']);
        return stdout;
      };
      const first = await run(project, pasted[0]);
      expect(first).toContain('One.');
      const id = /cnv_\w+/.exec(first)?.[0] ?? '';
      expect(await run(id, pasted[1])).toContain('Continues the conversation of turn 1.');
      expect(await run(id, pasted[2], '--fresh')).toContain('Three.');
      const conversation = conversationOf(system.api, id);
      expect(
        (await conversation.turns()).map(({ start, message }) => [
          start?.mode,
          start?.reason,
          message,
        ]),
      ).toEqual([
        ['fresh', 'FIRST_TURN', pasted[0]],
        ['resume', 'OK_RESUME', pasted[1]],
        ['transcript', 'FORCE_FRESH', pasted[2]],
      ]);
      expect((await processes(conversation, 3))[0]?.argv).not.toContain('--resume');
      expect(requests()).toHaveLength(3);
      // A blank before it: to the CLI a slash at the very beginning is a command.
      expect(told(0)).toEqual([user(' /clear')]);
      expect(told(1).slice(0, 2)).toEqual([user(' /clear'), agent('One.')]);
      expect(JSON.stringify(told(1).at(-1))).toContain('@/etc/passwd --help -p !id\\n/compact');
      for (const text of [...pasted, 'Two.']) expect(textOf(requests()[2])).toContain(text);
      expect(JSON.stringify(requests().map(({ body }) => body))).not.toContain('root:x:0');
    });

    it('[CNV-4.3] a runner killed while its agent asks: the question is closed, the turn says so, the next one continues', async () => {
      host.model.setScript([
        say('web is well.'),
        callTool('AskUserQuestion', { questions: [QUESTION] }),
      ]);
      const conversation = await talk('Is web well?');
      await conversation.send('And the other?');
      const question = await conversation.question();
      await host.runner.end('SIGKILL');
      // The process that the runner left behind may still go on by itself for a while.
      host.model.setScript((request) =>
        say(textOf(request).includes('And db?') ? 'db is well.' : 'Nobody hears this.'),
      );
      await letLeasesExpire(system);
      const two = await conversation.ended();
      expect(two).toMatchObject({ status: 'lost', answer: null });
      expect(two.statusText).toContain(host.runner.name.replace('runner-', ''));
      expect(two.questions).toMatchObject([{ status: 'cancelled', answers: null }]);
      const late = await conversation.answer(question, 'web');
      expect([late.status, await late.text()]).toEqual([
        409,
        expect.stringContaining('The agent no longer waits for this answer.'),
      ]);
      host.runner.start();
      await delivered(host.runner);
      expect(await conversation.read()).toMatchObject({ isBusy: false });
      const three = await conversation.ask('And db?');
      expect(three).toMatchObject({ answer: 'db is well.', start: { mode: 'transcript' } });
      const asked = requests()
        .map(textOf)
        .filter((text) => text.includes('And db?'));
      expect(asked).toEqual([expect.stringContaining('And the other?')]);
    });

    it('[CNV-1.1] a runner killed before its agent did anything: the turn is resumed once more', async () => {
      host.model.setScript([say('web is well.'), hang()]);
      const conversation = await talk('Is web well?');
      await conversation.send('And db?');
      await eventually('the agent has asked the model', () => requests().length > 1, 60_000);
      await host.runner.end('SIGKILL');
      host.model.setScript([say('db is well.')]);
      await letLeasesExpire(system);
      host.runner.start();
      const two = await conversation.ended();
      expect(two).toMatchObject({ status: 'completed', answer: 'db is well.' });
      const [first] = await processes(conversation, 1);
      const [killed, again, ...more] = await processes(conversation, 2);
      expect(more).toEqual([]);
      expect([killed?.resumed, again?.resumed]).toEqual([first?.cliSessionId, first?.cliSessionId]);
      expect(again?.cliSessionId).not.toBe(killed?.cliSessionId);
      // The fork that was cut off is in nobody's way: the message stands there once.
      expect(told(-1)).toEqual([...told(0), agent('web is well.'), user(again?.prompt ?? '')]);
      await delivered(host.runner);
    });
  });
}

/** Everything of the conversation that a request holds, as one text. */
function textOf(request: RecordedRequest | undefined): string {
  const turns = request === undefined ? [] : toldOf(request);
  return turns.flatMap(({ blocks }) => blocks.map(({ text }) => String(text))).join('\n');
}
