import { z } from 'zod';
import { askProgram, firstLine, type ProgramOutput } from '../local-program';
import { degraded, down, healthy, type Probe, type ProbeResult, unknown } from '../outcome';
import type { container } from './kind';

/** What is asked for, and no more: the rest of `docker inspect` shows the container's environment. */
const FORMAT = '{"Id":{{json .Id}},"RestartCount":{{json .RestartCount}},"State":{{json .State}}}';

const containerSchema = z.object({
  Id: z.string().max(200).optional().catch(undefined),
  RestartCount: z.number().int().nonnegative().optional().catch(undefined),
  State: z.object({
    Status: z.string().max(50),
    ExitCode: z.number().default(0),
    StartedAt: z.string().max(50).optional().catch(undefined),
    Health: z.object({ Status: z.string().max(50) }).nullish(),
  }),
});
type Container = z.infer<typeof containerSchema>;

export const probeContainer: Probe<typeof container.fields> = async (check, context) => {
  context.whenTimeIsUp(unknown('Docker did not respond in time.'));
  const args = ['inspect', '--type', 'container', '--format', FORMAT, '--'];
  return readInspect(await askProgram('docker', [...args, check.target.trim()], context.signal));
};

/** Judges what `docker inspect` printed. Whatever keeps Docker from answering says nothing about the container. */
export function readInspect({ code, stdout, stderr }: ProgramOutput): ProbeResult {
  if (code !== 0) {
    const reason = firstLine(stderr, 'docker inspect failed without a message.');
    return /no such (container|object)/i.test(stderr) ? down(reason) : unknown(reason);
  }
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return unknown('The answer of docker inspect can’t be read.');
  }
  const parsed = containerSchema.safeParse(value);
  return parsed.success
    ? judgeContainer(parsed.data)
    : unknown('The answer of docker inspect can’t be read.');
}

/** A running container is as healthy as its own health check says, where it has one. */
export function judgeContainer({ Id, RestartCount, State }: Container): ProbeResult {
  const health = State.Health?.Status ?? 'none';
  const hasHealth = health !== 'none' && State.Status === 'running';
  const facts = {
    state: hasHealth ? `${State.Status} (${health})` : State.Status,
    startedAt: State.StartedAt,
    restarts: RestartCount,
    instance: [Id, State.StartedAt].filter(Boolean).join(' ') || undefined,
  };
  return { ...judgeState(State, health), facts };
}

function judgeState({ Status, ExitCode }: Container['State'], health: string): ProbeResult {
  if (Status === 'exited' || Status === 'dead') {
    return down(`The container has exited with code ${ExitCode}.`);
  }
  if (Status === 'restarting' || Status === 'paused')
    return degraded(`The container is ${Status}.`);
  if (Status !== 'running') return down(`The container is ${Status}.`);
  switch (health) {
    case 'healthy':
    case 'none':
      return healthy;
    case 'unhealthy':
      return down('The container’s health check is failing.');
    case 'starting':
      // Docker itself ends this state after the start period, so it is no failure yet.
      return unknown('The container is starting: its health check has no result yet.');
    default:
      return unknown(`The container’s health check is in an unknown state (${health}).`);
  }
}
