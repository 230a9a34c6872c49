import { formatSpan } from '@/lib/platform/format/duration';

interface StartFacts {
  project: string;
  service: string;
  pool: string;
  /** Null: checks run in chains only. */
  checkEverySeconds: number | null;
  /** "every 12h" */
  scheduleWords: string;
  /** One of the pool is online. */
  hasRunner: boolean;
}

/** Returns what the project will do once it is started, and what is missing for it. */
export function startSentence(facts: StartFacts): string {
  const { project, service, pool, checkEverySeconds, hasRunner } = facts;
  const words = facts.scheduleWords;
  const schedule = `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`;
  const agent = schedule === 'only manually' ? 'when somebody runs a chain' : schedule;
  const waits = hasRunner ? '' : ` Nothing is checked until a runner of pool ${pool} is online.`;
  if (checkEverySeconds === null) {
    return `On pool ${pool}, the agent looks at ${service} ${agent}, and ${project} is checked by it alone.${waits}`;
  }
  const every = Number.isFinite(checkEverySeconds) ? ` every ${formatSpan(checkEverySeconds)}` : '';
  return `${project} checks ${service}${every} on pool ${pool}. The agent looks when a check begins to fail, and ${agent}.${waits}`;
}
