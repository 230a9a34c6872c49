import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CheckpointEvent, RunnerEvent } from '@/lib/protocol/events';
import { BUFFER_MS, createCheckpointWriter } from './writer';

const plan = {
  project: 'Checkout',
  promptInterval: 3,
  timeIntervalMs: 900_000,
  recoveryBudgetChars: 2_000,
};
const paths = { projectPath: '/srv/link', projectPathNormalized: '/srv/checkout' };

let written: CheckpointEvent[];
beforeEach(() => {
  vi.useFakeTimers();
  written = [];
});
afterEach(() => vi.useRealTimers());

function begin(redact: (text: string) => string = (text) => text) {
  return createCheckpointWriter({
    plan,
    about: { project: plan.project, tier: 1 },
    paths: () => paths,
    write(event) {
      const kept = { ...event, digest: redact(event.digest) };
      written.push(kept);
      return kept;
    },
  });
}

const triggers = () => written.map(({ trigger }) => trigger);

function result(toolUseId: string): RunnerEvent {
  const output = { content: '', stdout: null, stderr: null, exitCode: 0, cutBytes: 0 };
  return { kind: 'tool_result', toolUseId, isError: false, denied: false, ...output };
}

function say(text: string): RunnerEvent {
  return { kind: 'text', messageId: 'm', text, parentToolUseId: null };
}

describe('the passive channel', () => {
  it('[CKP-2.1] writes after so many prompts and tool results, not before', () => {
    const writer = begin();
    writer.prompt();
    writer.observe(result('1'));
    vi.advanceTimersByTime(BUFFER_MS * 2);
    expect(triggers()).toEqual([]);
    writer.observe(result('2'));
    vi.advanceTimersByTime(BUFFER_MS);
    expect(triggers()).toEqual(['periodic']);
    expect(written[0]).toMatchObject({ ...paths, hookSessionId: null });
  });

  it('[CKP-2.2] makes one checkpoint of what comes within the buffer, with the text of its counts', () => {
    const writer = begin();
    for (let n = 0; n < 3; n += 1) writer.observe(result(`${n}`));
    vi.advanceTimersByTime(BUFFER_MS - 1);
    expect(written).toEqual([]);
    for (let n = 3; n < 8; n += 1) writer.observe(result(`${n}`));
    vi.advanceTimersByTime(1);
    expect(triggers()).toEqual(['periodic']);
    expect(written[0]?.counts.toolResults).toBe(8);
    expect(written[0]?.digest).toContain('8 results in 2.5s');
    expect(BUFFER_MS).toBeGreaterThanOrEqual(2_000);
    expect(BUFFER_MS).toBeLessThanOrEqual(3_000);
  });

  it('[CKP-2.1] writes by the clock, also with no prompt', () => {
    begin();
    vi.advanceTimersByTime(plan.timeIntervalMs - 1);
    expect(triggers()).toEqual([]);
    vi.advanceTimersByTime(1 + plan.timeIntervalMs);
    expect(triggers()).toEqual(['periodic', 'periodic']);
    expect(written[1]?.counts).toMatchObject({ prompts: 0, elapsedMs: 2 * plan.timeIntervalMs });
  });

  it('[CKP-2.1] the timer restarts with every checkpoint', () => {
    const writer = begin();
    vi.advanceTimersByTime(plan.timeIntervalMs / 2);
    writer.agent('I know this much.');
    vi.advanceTimersByTime(plan.timeIntervalMs / 2);
    expect(triggers()).toEqual(['agent']);
    vi.advanceTimersByTime(plan.timeIntervalMs / 2);
    expect(triggers()).toEqual(['agent', 'periodic']);
  });

  it('[CKP-2.2] the end writes what is due, once, and nothing after it', () => {
    const writer = begin();
    for (let n = 0; n < 3; n += 1) writer.observe(result(`${n}`));
    writer.end();
    writer.end();
    vi.advanceTimersByTime(10 * plan.timeIntervalMs);
    expect(triggers()).toEqual(['session_end']);
    expect(written[0]?.counts.toolResults).toBe(3);
  });

  it('[CKP-2.2] the end writes nothing where nothing was seen', () => {
    begin().end();
    vi.advanceTimersByTime(plan.timeIntervalMs);
    expect(triggers()).toEqual([]);
  });

  it('[CKP-2.4] a fact to remember is in the next checkpoint and in no other', () => {
    const writer = begin();
    writer.remember('The primary is db-2.');
    writer.explicit();
    writer.explicit();
    expect(written.map(({ remembered }) => remembered)).toEqual([['The primary is db-2.'], []]);
    expect(written[0]?.digest).toContain('- The primary is db-2.');
  });
});

describe('a checkpoint that something asks for', () => {
  it('[CKP-1.2] names its trigger, and takes the place of a buffered one', () => {
    const writer = begin();
    for (let n = 0; n < 3; n += 1) writer.observe(result(`${n}`));
    writer.compaction({ trigger: 'auto', instructions: null }, 'f1647ee4');
    vi.advanceTimersByTime(BUFFER_MS);
    writer.explicit();
    writer.agent('Mine.');
    expect(triggers()).toEqual(['pre_compaction', 'explicit', 'agent']);
    expect(written.map(({ hookSessionId }) => hookSessionId)).toEqual(['f1647ee4', null, null]);
    expect(written[0]?.digest).toContain('### Compaction\nTrigger: auto');
    expect(writer.kept[0]?.event).toBe(written[2]);
  });

  it("tells the agent's own words unchanged, and repeats them as they were kept", () => {
    const writer = begin((text) => text.replace('hunter2', '[redacted: assigned]'));
    writer.agent('# Mine\npassword=hunter2');
    writer.observe(say('Going on.'));
    writer.end();
    expect(written[0]?.digest).toBe('# Mine\npassword=[redacted: assigned]');
    expect(written[1]?.digest).toContain('password=[redacted: assigned]');
    expect(written[1]?.digest).not.toContain('hunter2');
  });
});

it('[CKP-2.2] what is written is not due again, though it passes by like every event', () => {
  const writer = createCheckpointWriter({
    plan,
    about: { project: plan.project, tier: 1 },
    paths: () => paths,
    write(event) {
      written.push(event);
      writer.observe(event);
      return event;
    },
  });
  for (let n = 0; n < plan.promptInterval; n += 1) writer.observe(result(`${n}`));
  vi.advanceTimersByTime(4 * BUFFER_MS);
  expect(triggers()).toEqual(['periodic']);
  writer.close();
});
