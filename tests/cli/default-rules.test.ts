/**
 * The default rules of tiers 1 and 2 against the dangerous options of their own programs. Programs
 * of the host are stand-ins that create a marker when they run, so that the marker alone says what
 * ran; dig and kubectl are the real ones where the machine has them.
 */
import { spawnSync } from 'node:child_process';
import { access, chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { printsAnyFile } from '@/lib/agents/claude/versions';
import type { Tier } from '@/lib/protocol/spec';
import {
  callBash,
  callTool,
  inFewMessages,
  type MessageReply,
  reportBack,
} from '../support/messages-api/reply';
import { type CliHost, tierStart } from './support/cli-host';
import { ALLOWED, FORBIDDEN, PROGRAMS } from './support/default-rule-forms';
import { type CliBench, describeEachCli } from './support/describe-cli';

const LIMITS = { timeoutSeconds: 300, stallSeconds: 180, maxTurns: 300, maxBudgetUsd: null };

interface Outcome {
  command: string;
  isDenied: boolean;
  content: string;
}

/** What the CLI did with each command, in one process. */
async function outcomesOf(
  { api, run }: CliBench,
  tier: Tier,
  calls: MessageReply[],
  names: string[],
): Promise<Outcome[]> {
  api.setScript([...inFewMessages(calls), reportBack({ summary: 'done' })]);
  const { events } = await run(tierStart(tier, { limits: LIMITS }));
  const results = events.filter((event) => event.kind === 'tool_result').slice(0, -1);
  expect(results).toHaveLength(calls.length);
  return results.map(({ denied, content }, at) => ({
    command: names[at] ?? '',
    isDenied: denied,
    content,
  }));
}

async function addMarkingPrograms(host: CliHost): Promise<string> {
  const marks = path.join(host.root, 'marks');
  await mkdir(marks);
  for (const name of PROGRAMS) {
    const file = path.join(host.root, 'bin', name);
    await writeFile(
      file,
      `#!/bin/sh\necho "${name} $*" > "${marks}/${name}-$$"\necho "ran ${name} $*"\n`,
    );
    await chmod(file, 0o755);
  }
  return marks;
}

/** The command lines that ran, without those by which the CLI itself asks git about the folder. */
async function markedCommands(marks: string): Promise<string[]> {
  const names = await readdir(marks);
  const lines = await Promise.all(names.map((name) => readFile(path.join(marks, name), 'utf8')));
  return lines
    .map((line) => line.trim())
    .filter((line) => !/^git .*\b(rev-parse|ls-files|config --get)\b/.test(line));
}

async function addSecret(host: CliHost): Promise<string> {
  const file = path.join(host.root, 'outside', 'secret.txt');
  await mkdir(path.dirname(file));
  await writeFile(file, 'the-secret-of-the-host.example\n');
  return file;
}

/** The real program, or null. */
function which(program: string): string | null {
  const { stdout } = spawnSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
  return stdout.trim() || null;
}

const [dig, kubectl] = [which('dig'), which('kubectl')];

describeEachCli('the default rules', (withBench, { version }) => {
  it.each([1, 2] as const)(
    '[ENG-5.4] tier %d runs what it is for, and no dangerous option of it',
    (tier) =>
      withBench([], async (bench) => {
        const { host, api } = bench;
        const marks = await addMarkingPrograms(host);
        const secret = await addSecret(host);
        await writeFile(path.join(host.layout.workDir, 'x'), 'x\n');
        const good = ALLOWED[tier];
        const ran = await outcomesOf(
          bench,
          tier,
          good.map((command) => callBash(command)),
          good,
        );
        expect(ran.filter(({ isDenied }) => isDenied)).toEqual([]);
        expect(await markedCommands(marks)).not.toEqual([]);

        await rm(marks, { recursive: true });
        await mkdir(marks);
        const bad = FORBIDDEN[tier];
        expect(bad.length).toBeGreaterThanOrEqual(60);
        const calls = bad.map((command) => callBash(command.replaceAll('SECRET', secret)));
        const tried = await outcomesOf(bench, tier, calls, bad);
        expect(tried.filter(({ isDenied }) => !isDenied)).toEqual([]);
        expect(await markedCommands(marks)).toEqual([]);
        expect(JSON.stringify(api.requests)).not.toContain('the-secret-of-the-host');
      }),
  );

  it('[ENG-5.4] tier 2 writes no file that a program it may run would obey', () =>
    withBench([], async (bench) => {
      const { workDir } = bench.host.layout;
      const files = [
        ...['docker-compose.yml', 'docker-compose.override.yaml', 'compose.yaml', '.env'],
        ...['.env.local', 'deploy/compose.yml', 'deploy/.env', '.git/hooks/pre-commit'],
        '.git/config',
      ];
      const write = (file: string) =>
        callTool('Write', { file_path: path.join(workDir, file), content: 'x' });
      const tried = await outcomesOf(bench, 2, files.map(write), files);
      expect(tried.filter(({ isDenied }) => !isDenied)).toEqual([]);
      const [config] = await outcomesOf(bench, 2, [write('nginx.conf')], ['nginx.conf']);
      expect(config?.isDenied).toBe(false);
    }));

  it('[ENG-5.4] input redirection prints a file exactly where the runner page says so', () =>
    withBench([], async (bench) => {
      const secret = await addSecret(bench.host);
      const forms = [`cat < ${secret}`, `head <${secret}`, `tr a b < ${secret}`];
      const tried = await outcomesOf(
        bench,
        1,
        forms.map((form) => callBash(form)),
        forms,
      );
      expect(tried.map(({ isDenied }) => !isDenied)).toEqual(
        forms.map(() => printsAnyFile(version)),
      );
    }));

  it.skipIf(dig === null)('[ENG-5.4] the real dig prints no file to the model', () =>
    withBench([], async (bench) => {
      const secret = await addSecret(bench.host);
      // Without the rules it does: the name that it looks up is a line of the file.
      const { stdout: printed } = spawnSync(
        dig ?? '',
        ['+time=1', '+tries=1', '@127.0.0.1', '-p', '1', '-f', secret],
        { encoding: 'utf8' },
      );
      expect(printed).toContain('the-secret-of-the-host');
      const forms = [
        ...[`dig -f ${secret}`, `dig +short -f ${secret}`, `dig web.example.test -f ${secret}`],
        ...[`dig +short web.example.test -f ${secret}`, `dig -k ${secret} web.example.test`],
        ...[`timeout 5 dig -f ${secret}`, `dig "-f" ${secret}`, `dig -f${secret}`],
      ];
      const tried = await outcomesOf(
        bench,
        1,
        forms.map((form) => callBash(form)),
        forms,
      );
      expect(tried.filter(({ isDenied }) => !isDenied)).toEqual([]);
      expect(JSON.stringify(bench.api.requests)).not.toContain('the-secret-of-the-host');
    }),
  );

  it.skipIf(kubectl === null)(
    '[ENG-5.4] the real kubectl starts no program of a written file',
    () =>
      withBench([], async (bench) => {
        const { workDir, configDir } = bench.host.layout;
        const marker = path.join(bench.host.root, 'started');
        const file = path.join(workDir, 'kc.json');
        const content = kubeconfig(marker);
        // Without the rules it does: any user of a cluster may be a program.
        await writeFile(file, content);
        const args = [`--kubeconfig=${file}`, '--request-timeout=2s', 'get', 'pods'];
        const env = { ...process.env, HOME: configDir };
        spawnSync(kubectl ?? '', args, { stdio: 'ignore', env });
        await access(marker);
        await rm(marker);
        await rm(file);
        const forms = [
          ...[`kubectl get pods --kubeconfig=${file}`, `kubectl --kubeconfig ${file} get pods`],
          ...['kubectl get pods --kubeconfig=./kc.json', 'KUBECONFIG=kc.json kubectl get pods'],
          ...[
            'env KUBECONFIG=kc.json kubectl get pods',
            'export KUBECONFIG=kc.json; kubectl get pods',
          ],
          ...['kubectl rollout restart deployment/web --kubeconfig=kc.json'],
          ...['kubectl logs deployment/web --tail=200 --kubeconfig=kc.json'],
        ];
        const write = callTool('Write', { file_path: file, content });
        const tried = await outcomesOf(
          bench,
          2,
          [write, ...forms.map((form) => callBash(form))],
          ['the file', ...forms],
        );
        expect(tried.filter(({ isDenied }) => !isDenied).map(({ command }) => command)).toEqual([
          'the file',
        ]);
        expect(await readFile(file, 'utf8')).toBe(content);
        await expect(access(marker)).rejects.toThrow('ENOENT');
      }),
  );
});

/** A cluster whose user is a program that creates `marker`. */
function kubeconfig(marker: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [
      {
        name: 'u',
        user: {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: '/bin/sh',
            args: ['-c', `: > '${marker}'`],
            interactiveMode: 'Never',
          },
        },
      },
    ],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}
