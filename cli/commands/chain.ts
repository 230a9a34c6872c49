import type { Command } from 'commander';
import { type ChainDetail, chainDetailSchema } from '@/lib/insight/chains/schema';
import type { SessionItem } from '@/lib/insight/sessions/schema';
import { formatCost } from '@/lib/platform/format/cost';
import { formatDuration } from '@/lib/platform/format/duration';
import { visibleText } from '@/lib/platform/format/visible-text';
import type { ContextOf, Terminal } from '../context';
import { eventLine } from '../event-line';
import { exitCodeOfOutcome } from '../exit-code';
import { type ChainListener, followChain } from '../follow-chain';

export function addChainCommands(program: Command, contextOf: ContextOf): void {
  const chain = program.command('chain').description('Chains: run, watch, stop');
  chain
    .command('run <project>')
    .description('Start a chain now; <project> is an id or slug')
    .option('--tier <tier>', 'start at a higher tier (needs an admin token)', Number)
    .option('--prompt <text>', 'instructions for the first tier')
    .option('--fresh', 'don’t resume conversations or recover checkpoints')
    .option('--dry-run', 'observe only: never escalate')
    .option(
      '--wait',
      'wait until the chain ends; exits with code 4 unless the outcome is healthy or fixed',
    )
    .action(async (project, options, command) => {
      const { api, print, terminal } = contextOf(command);
      const started = await api.request(
        'POST',
        `projects/${encodeURIComponent(project)}/chains`,
        chainDetailSchema,
        {
          tier: options.tier,
          prompt: options.prompt,
          forceFresh: options.fresh,
          dryRun: options.dryRun,
        },
      );
      if (!options.wait) {
        print(`Started Chain #${started.number} (${started.id}).`, started);
        return;
      }
      const ended = await followChain(api, started.id, { onSession: () => {}, onEvent: () => {} });
      print(chainText(ended), ended);
      terminal.exitCode = exitCodeOfOutcome(ended.outcome);
    });
  chain
    .command('show <id>')
    .description('Show a chain with its sessions and costs')
    .action(async (id, _options, command) => {
      const { api, print } = contextOf(command);
      const found = await api.request('GET', `chains/${encodeURIComponent(id)}`, chainDetailSchema);
      print(chainText(found), found);
    });
  chain
    .command('tail <id>')
    .description('Follow the log of a chain, tier by tier, until it ends')
    .action(async (id, _options, command) => {
      const { api, isJson, print, terminal } = contextOf(command);
      const listener = (isJson ? jsonLines : textLines)(terminal);
      const ended = await followChain(api, encodeURIComponent(id), listener);
      print(chainText(ended), ended);
      terminal.exitCode = exitCodeOfOutcome(ended.outcome);
    });
  chain
    .command('stop <id>')
    .description('Stop a chain; its costs stay booked')
    .action(async (id, _options, command) => {
      const { api, print } = contextOf(command);
      const path = `chains/${encodeURIComponent(id)}/stop`;
      const stopped = await api.request('POST', path, chainDetailSchema, {});
      print(chainText(stopped), stopped);
    });
}

const textLines = ({ stdout }: Terminal): ChainListener => ({
  onSession: (session) => stdout.write(`--- ${sessionText(session)}\n`),
  onEvent: (event) => {
    const line = eventLine(event);
    if (line !== null) stdout.write(`${line}\n`);
  },
});

const jsonLines = ({ stdout }: Terminal): ChainListener => ({
  onSession: () => {},
  onEvent: (event, session) => {
    stdout.write(`${JSON.stringify({ sessionId: session.id, ...event })}\n`);
  },
});

/** Returns a chain as a few lines: what it is, how it ended, a line per session, the total. */
function chainText(chain: ChainDetail): string {
  const ending = chain.outcome ?? chain.status;
  const lines = [
    `Chain #${chain.number} of ${chain.project.name} (${chain.id}): ${ending}${chain.dryRun ? ', dry run' : ''}`,
    ...(chain.statusText ? [`  ${chain.statusText}`] : []),
    ...chain.sessions.map((session) => `  ${sessionText(session)}`),
    `  total ${costText(chain.totalCostUsd, chain.isCostEstimated)}`,
  ];
  return visibleText(lines.join('\n'));
}

/** `Session #19, tier 2, sonnet, escalated, resumed, 3m 12s, $0.47` */
function sessionText(session: SessionItem): string {
  const parts = [
    `Session #${session.number}, tier ${session.tier}, ${session.model}`,
    session.status,
    ...(session.mechanism ? [startText(session.mechanism, session.fallback)] : []),
    ...(session.durationMs === null ? [] : [formatDuration(session.durationMs)]),
    costText(session.costUsd, session.isCostEstimated),
  ];
  return visibleText(parts.join(', '));
}

const STARTS: Readonly<Record<string, string>> = {
  fresh: 'fresh start',
  resume: 'resumed',
  handoff: 'from the handoff',
};

function startText(mechanism: string, isFallback: boolean): string {
  return `${STARTS[mechanism] ?? mechanism}${isFallback ? ' (fallback)' : ''}`;
}

function costText(usd: number, isEstimated: boolean): string {
  return `${formatCost(usd * 1_000_000)}${isEstimated ? ' est.' : ''}`;
}
