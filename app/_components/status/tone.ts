/** The five meanings a hue can have, apart from tiers. */
export type Tone = 'ok' | 'run' | 'wait' | 'bad' | 'idle';

/** Class names per tone, written out so that Tailwind finds them. */
export const toneStyle: Record<Tone, { fg: string; mark: string; bg: string; fill: string }> = {
  ok: { fg: 'text-ok-fg', mark: 'text-ok-mark', bg: 'bg-ok-bg', fill: 'bg-ok-mark' },
  run: { fg: 'text-run-fg', mark: 'text-run-mark', bg: 'bg-run-bg', fill: 'bg-run-mark' },
  wait: { fg: 'text-wait-fg', mark: 'text-wait-mark', bg: 'bg-wait-bg', fill: 'bg-wait-mark' },
  bad: { fg: 'text-bad-fg', mark: 'text-bad-mark', bg: 'bg-bad-bg', fill: 'bg-bad-mark' },
  idle: { fg: 'text-idle-fg', mark: 'text-idle-mark', bg: 'bg-idle-bg', fill: 'bg-idle-mark' },
};
