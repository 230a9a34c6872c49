/** Which due checks start, so that a project whose checks hang leaves slots to the others. Pure. */
import type { CheckKind } from '@/lib/protocol/checks/check-kind';
import { CHECK_KINDS } from '@/lib/protocol/checks/kinds';

/** `program`: of a kind that starts programs. */
type SlotKind = 'network' | 'program';

const SLOTS: Record<SlotKind, number> = { network: 500, program: 60 };

export interface DueCheck {
  /** UUID. */
  checkId: string;
  projectId: string;
  /** CheckSpec in lib/protocol/spec.ts, or one of a kind that the runner doesn't know. */
  check: unknown;
}

interface Turn {
  projectId: string;
  kind: SlotKind;
}

/**
 * The checks that wait for a slot, and those that have one. A project may have as many slots as are still
 * free, so one alone gets half of them, and of several that hang each gets the same. Its first is always
 * free: however many others hang, each project's checks run.
 */
export class CheckSlots {
  /** By the check's id, in the order in which they were due. */
  readonly #waiting = new Map<string, Turn>();
  readonly #running = new Map<string, Turn>();

  get waiting(): number {
    return this.#waiting.size;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Lets a check wait for its turn. One that waits already keeps its place. */
  add({ checkId, projectId, check }: DueCheck): void {
    if (!this.#waiting.has(checkId)) this.#waiting.set(checkId, { projectId, kind: kindOf(check) });
  }

  /**
   * Returns the ids of the checks that start now. One that still runs isn't started a second time, and loses
   * its turn.
   */
  start(): string[] {
    const started: string[] = [];
    const used = this.#countRunning();
    for (const [checkId, turn] of this.#waiting) {
      if (this.#running.has(checkId)) {
        this.#waiting.delete(checkId);
        continue;
      }
      const own = used.get(keyOf(turn)) ?? 0;
      const all = used.get(turn.kind) ?? 0;
      if (own > 0 && own >= SLOTS[turn.kind] - all) continue;
      used.set(keyOf(turn), own + 1).set(turn.kind, all + 1);
      this.#waiting.delete(checkId);
      this.#running.set(checkId, turn);
      started.push(checkId);
    }
    return started;
  }

  /** Frees the slot of a check. */
  end(checkId: string): void {
    this.#running.delete(checkId);
  }

  /** Returns how many slots are used, by kind, and by kind and project. */
  #countRunning(): Map<string, number> {
    const used = new Map<string, number>();
    for (const turn of this.#running.values()) {
      for (const key of [turn.kind, keyOf(turn)]) used.set(key, (used.get(key) ?? 0) + 1);
    }
    return used;
  }
}

function keyOf({ kind, projectId }: Turn): string {
  return `${kind} ${projectId}`;
}

function kindOf(check: unknown): SlotKind {
  const { type } = (check ?? {}) as { type?: unknown };
  const kind = Object.entries<CheckKind>(CHECK_KINDS).find(([name]) => name === type)?.[1];
  return kind?.startsProgram ? 'program' : 'network';
}
