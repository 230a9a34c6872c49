/** What a runner sends of conversations, and what it does with those of other hosts. */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';
import { filesBelow } from '../../support/files-below';

/** Keeps a conversation, in which it wrote what its prompt said; reads the one that it continues. */
const AGENT = `init();
const dir = path.join(process.env.CLAUDE_CONFIG_DIR, 'projects', process.cwd().replace(/[^A-Za-z0-9]/g, '-'));
const file = (id) => path.join(dir, id + '.jsonl');
if (process.argv.includes('--resume')) text(fs.readFileSync(file(flag('--resume')), 'utf8'));
fs.mkdirSync(dir, { recursive: true });
fs.writeFileSync(file(flag('--session-id')), JSON.stringify({ type: 'user', text: stdin() }) + '\\n');
result();`;

const PARENT = '{"type":"user","text":"What host 1 was told"}\n';
const project = { organizationId: 'org_one', projectId: 'prj_one' };

let host: RunnerHost;
beforeEach(async () => {
  host = await startRunnerHost({ agent: AGENT });
});
afterEach(async () => {
  await host.close();
});

const conversations = () =>
  filesBelow(path.join(host.runnerDir, 'projects')).filter((file) => file.endsWith('.jsonl'));

describe('[FLT-4.1] after an attempt', () => {
  it('the conversation is sent as it lies on the disk, after its result', async () => {
    const { spec } = await host.run(project);
    await host.plane.until(() => host.plane.seals.has(spec.attemptId), 'the conversation');
    const sent = host.plane.seals.get(spec.attemptId);
    const [file = ''] = conversations();
    const content = readFileSync(file);
    expect(gunzipSync(sent?.packed ?? Buffer.alloc(0)).equals(content)).toBe(true);
    expect(sent).toMatchObject({
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    const pending = () => filesBelow(path.join(host.runnerDir, 'seals'));
    await host.plane.until(() => pending().length === 0, 'the end of its note');
  });

  it('it is sent again until it is kept', async () => {
    host.plane.sealOutages = 2;
    const { spec } = await host.run(project);
    await host.plane.until(() => host.plane.seals.has(spec.attemptId), 'the conversation');
    expect(host.plane.sealOutages).toBe(0);
  });

  it('one with a secret stays on this host, and the control plane is told so', async () => {
    const prompt = 'Connect with DB_PASSWORD=hunter2-of-the-shop.';
    const { spec } = await host.run({ ...project, start: { prompt } });
    const { sealRefusals, seals } = host.plane;
    await host.plane.until(() => sealRefusals.has(spec.attemptId), 'the refusal');
    expect(sealRefusals.get(spec.attemptId)).toBe('secrets');
    expect(seals.has(spec.attemptId)).toBe(false);
  });
});

describe('[FLT-4.2] an attempt that continues a conversation of another host', () => {
  /** @param sent what the control plane gives for it */
  async function continued(sent: Buffer | null) {
    const spec = attemptSpec({
      ...project,
      start: {
        continuation: {
          mode: 'resume',
          parentCliSessionId: randomUUID(),
          workDirInode: null,
          transcript: {
            bytes: PARENT.length,
            sha256: createHash('sha256').update(PARENT).digest('hex'),
          },
          sealId: randomUUID(),
        },
      },
    });
    const { attemptId } = spec;
    if (sent) host.plane.seals.set(attemptId, { packed: sent, bytes: 0, sha256: '' });
    host.plane.queue(spec);
    await host.plane.until(() => host.plane.attempt(attemptId).results.length > 0, 'a result');
    const attempt = host.plane.attempt(attemptId);
    return { spec, result: attempt.results[0], events: attempt.events() };
  }

  it('finds it where its agent looks, compared, and only while it runs', async () => {
    host.plane.sealOutages = 1;
    const { spec, result, events } = await continued(gzipSync(PARENT));
    expect(result).toMatchObject({ startError: null, exit: { code: 0 } });
    const command = events.find((event) => event.kind === 'command');
    expect(command).toMatchObject({ verified: ['transcript'] });
    expect(JSON.stringify(events)).toContain('What host 1 was told');
    const left = conversations().map((file) => path.basename(file, '.jsonl'));
    expect(left).toEqual([spec.start.cliSessionId]);
  });

  it.each<[string, Buffer | null]>([
    ['is refused', null],
    ['is half of it', gzipSync(PARENT).subarray(0, 30)],
    ['is another one', gzipSync(PARENT.replace('told', 'sold'))],
    ['is larger', gzipSync(Buffer.alloc(10_000_000))],
    ['is a page', Buffer.from('<html>')],
  ])('starts nothing where what it gets %s', async (_what, sent) => {
    const { result } = await continued(sent);
    expect(result).toMatchObject({
      startedAt: null,
      startError: { code: 'seal_unavailable' },
    });
    expect(conversations()).toEqual([]);
  });
});
