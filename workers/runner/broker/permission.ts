/**
 * Whether a command may run now, as the control plane says. One that waits for a person's approval is
 * held: the agent's shell waits for it. After some time it can't be held longer, and the agent's process
 * ends as soon as nothing else of it runs; the conversation continues after the decision.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { logger } from '@/lib/platform/logger';
import type {
  ApprovalRequest,
  AuthorizeCommandRequest,
  AuthorizeCommandResponse,
} from '@/lib/protocol/commands';
import { APPROVAL_PENDING } from '@/lib/protocol/event-codes';

export interface PermissionOptions {
  /** @throws Error if nobody answers */
  authorize(command: Omit<AuthorizeCommandRequest, 'fence'>): Promise<AuthorizeCommandResponse>;
  /** Whether nothing of the agent runs that its end would interrupt, commands that wait aside. */
  isIdle(): boolean;
  /** Whether no command runs that may change something. */
  changesNothing(): boolean;
  /** The agent's process has to end, because a command can't be held longer. */
  onUnheld(): void;
  /** Whether it ends for that reason: what it then no longer waits for is still to be decided. */
  isUnheld(): boolean;
}

export interface AskedPermission {
  number: number;
  /** With secrets, which `authorize` removes. */
  argv: readonly string[];
  /** What a person is shown; null while nobody asks for approval. */
  approval: Omit<ApprovalRequest, 'isWithdrawn'> | null;
  /** Nobody waits for the command now. */
  gone: AbortSignal;
  /** The attempt is over. */
  closed: AbortSignal;
}

interface Held {
  code: string;
  message: string;
}

const TIMING = {
  /** Between two requests about a command that waits. */
  pollMs: 1_500,
  /** How long everything else has to be idle before the process ends. */
  idleMs: 2_000,
  /** How long commands that only read, such as one that follows a log, may keep it from ending. */
  readingMs: 15_000,
};
const IDLE_LOOKS = 8;

/** @returns what the control plane or a person has against it; null if it may run */
export async function askPermission(
  options: PermissionOptions,
  asked: AskedPermission,
  timing = TIMING,
): Promise<Held | null> {
  const { number, argv, gone, closed } = asked;
  const over = AbortSignal.any([gone, closed]);
  const request = (isWithdrawn: boolean) =>
    options.authorize({
      number,
      argv: [...argv],
      approval: asked.approval && { ...asked.approval, isWithdrawn },
    });
  // Whatever is decided from then on is for the process that continues the conversation.
  const isOver = () => closed.aborted || options.isUnheld();
  let isRequested = false;
  let isEnding = false;
  try {
    while (!isOver()) {
      const isAbandoned = gone.aborted && asked.approval !== null;
      if (isAbandoned) {
        if (isRequested) await request(true);
        return WITHDRAWN;
      }
      const answer = await request(false);
      isRequested = true;
      if (answer.verdict === 'refused') return { code: answer.code, message: answer.message };
      if (answer.verdict === 'needs_approval') return NEEDS_APPROVAL;
      if (isOver()) break;
      if (answer.verdict === 'allowed') {
        if (!gone.aborted || asked.approval === null) return null;
      } else if (!answer.isHeld && !isEnding) {
        isEnding = true;
        void endWhenIdle(options, over, timing);
      }
      await wait(timing.pollMs, undefined, { signal: over }).catch(() => {});
    }
    return asked.approval ? WAITING : OVER;
  } catch (error) {
    logger.warn({ error: String(error) }, 'command not authorized');
    return NOT_AUTHORIZED;
  }
}

/** Commands of parallel calls end first, and answers of the model that have been paid for arrive. */
async function endWhenIdle(
  options: PermissionOptions,
  over: AbortSignal,
  { idleMs, readingMs }: typeof TIMING,
): Promise<void> {
  const stepMs = idleMs / IDLE_LOOKS;
  let idleLooks = 0;
  for (let looks = 1; idleLooks < IDLE_LOOKS; looks += 1) {
    await wait(stepMs);
    if (over.aborted) return;
    const isIdle = looks * stepMs < readingMs ? options.isIdle() : options.changesNothing();
    idleLooks = isIdle ? idleLooks + 1 : 0;
  }
  options.onUnheld();
}

/** The control plane, and no rule, asks for approval. */
export const NEEDS_APPROVAL: Held = {
  code: 'not_authorized',
  message: 'A person has to approve it, and was not asked.',
};
const WAITING: Held = {
  code: APPROVAL_PENDING,
  message: 'It waits for a person’s approval. It was not executed.',
};
const OVER: Held = { code: 'ended', message: 'This attempt has ended.' };
const WITHDRAWN: Held = {
  code: 'approval_withdrawn',
  message: 'The agent didn’t wait for its approval, so it doesn’t run.',
};
const NOT_AUTHORIZED: Held = {
  code: 'not_authorized',
  message:
    'The control plane couldn’t be asked whether this command may run now, so it doesn’t run.',
};
