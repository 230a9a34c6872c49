import { z } from 'zod';
import { runCommand } from './command';
import { degraded, down, healthy, type Probe, type ProbeResult } from './outcome';

const stateSchema = z.object({
  Status: z.string(),
  ExitCode: z.number().default(0),
  Health: z.object({ Status: z.string() }).nullish(),
});
export type ContainerState = z.infer<typeof stateSchema>;

export const probeContainer: Probe = async (check, signal) => {
  const args = ['inspect', '--type', 'container', '--format', '{{json .State}}', '--'];
  const output = await runCommand('docker', [...args, check.target.trim()], signal);
  if (output.code !== 0) {
    return down(output.stderr.trim().split('\n')[0] || 'docker inspect failed without a message.');
  }
  return judgeContainer(stateSchema.parse(JSON.parse(output.stdout)));
};

/** A running container is as healthy as its own health check says, where it has one. */
export function judgeContainer(state: ContainerState): ProbeResult {
  if (state.Status === 'exited' || state.Status === 'dead') {
    return down(`The container has exited with code ${state.ExitCode}.`);
  }
  if (state.Status === 'restarting' || state.Status === 'paused') {
    return degraded(`The container is ${state.Status}.`);
  }
  if (state.Status !== 'running') return down(`The container is ${state.Status}.`);
  const health = state.Health?.Status ?? 'none';
  if (health === 'unhealthy') return down('The health check of the container fails.');
  if (health === 'starting') return degraded('The container is starting.');
  return healthy;
}
