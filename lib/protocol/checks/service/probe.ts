import { askProgram, firstLine, type ProgramOutput } from '../local-program';
import {
  degraded,
  down,
  healthy,
  type Probe,
  type ProbeFacts,
  type ProbeResult,
  unknown,
} from '../outcome';
import type { service } from './kind';

const PROPERTIES = [
  'LoadState',
  'ActiveState',
  'SubState',
  'Result',
  'NRestarts',
  'ExecMainStatus',
  'InvocationID',
];

/** Reads a unit's state with `systemctl show`, which also says whether there is such a unit. */
export const probeSystemUnit: Probe<typeof service.fields> = async (check, context) => {
  context.whenTimeIsUp(unknown('systemd did not respond in time.'));
  const args = ['show', '--property', PROPERTIES.join(','), '--', check.target.trim()];
  return readUnit(check.target.trim(), await askProgram('systemctl', args, context.signal));
};

/** Judges what `systemctl show` printed: lines of `key=value`, in any order, some of which may be missing. */
export function readUnit(unit: string, { code, stdout, stderr }: ProgramOutput): ProbeResult {
  if (code !== 0) return unknown(firstLine(stderr, 'systemctl failed without a message.'));
  const properties = new Map(
    stdout.split('\n').flatMap((line): [string, string][] => {
      const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value.trim()]];
    }),
  );
  const get = (key: string) => properties.get(key) ?? '';
  const active = get('ActiveState');
  if (active === '') return unknown('The answer of systemctl can’t be read.');
  const restarts = /^\d{1,9}$/.test(get('NRestarts')) ? Number(get('NRestarts')) : undefined;
  const facts: ProbeFacts = {
    state: get('SubState') ? `${active} (${get('SubState')})` : active,
    restarts,
    instance: get('InvocationID') || undefined,
  };
  return { ...judgeUnit(unit, get), facts };
}

function judgeUnit(unit: string, get: (key: string) => string): ProbeResult {
  const [load, active] = [get('LoadState'), get('ActiveState')];
  if (load === 'not-found') return down(`There is no unit ${unit}.`);
  if (load === 'masked') return down('The unit is masked, so it can’t start.');
  if (load === 'error' || load === 'bad-setting') return down('The unit’s file has an error.');
  if (active === 'active') return healthy;
  if (get('SubState') === 'auto-restart') {
    return down(`The unit failed and waits for its restart${why(get)}.`);
  }
  if (['activating', 'reloading', 'deactivating', 'refreshing', 'maintenance'].includes(active)) {
    return degraded(`The unit is ${active}.`);
  }
  return down(`The unit is ${active}${active === 'failed' ? why(get) : ''}.`);
}

function why(get: (key: string) => string): string {
  const [result, status] = [get('Result'), get('ExecMainStatus')];
  if (result === '' || result === 'success') return '';
  return result === 'exit-code' ? ` (exit code ${status})` : ` (${result})`;
}
