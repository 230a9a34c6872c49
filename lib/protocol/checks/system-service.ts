import { runCommand } from './command';
import { degraded, down, healthy, type Probe, type ProbeResult } from './outcome';

export const probeSystemService: Probe = async (check, signal) => {
  const output = await runCommand('systemctl', ['is-active', '--', check.target.trim()], signal);
  return judgeUnit(output.stdout.trim(), output.stderr.trim());
};

/** `state` is what `systemctl is-active` prints: active, inactive, failed, activating and so on. */
export function judgeUnit(state: string, stderr: string): ProbeResult {
  if (state === 'active') return healthy;
  if (['activating', 'reloading', 'deactivating', 'refreshing', 'maintenance'].includes(state)) {
    return degraded(`The unit is ${state}.`);
  }
  return down(state ? `The unit is ${state}.` : stderr || 'systemctl answered nothing.');
}
