/**
 * Removes conversations that can no longer be continued. Every start forks the previous
 * conversation into its own file with its full content, so disk use grows quadratically.
 *
 * The control plane decides which ones are obsolete; unknown ones are kept.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { KeptConversations } from '@/lib/agents/agent';
import { logger } from '@/lib/platform/logger';
import { MAX_ASKED_CONVERSATIONS } from '@/lib/protocol/schema';
import type { ControlPlane } from '../control-plane/client';
import { isUnknownCall } from '../control-plane/failure';
import { findKeptFiles, type KeptFile, listKeptFiles, removeKept } from './kept-files';

/** What an attempt has written or continued. */
export interface UsedConversations {
  configDir: string;
  cliSessionIds: readonly string[];
}

interface ConversationPruner {
  /** After an attempt was settled: what it continued may be behind it now. */
  look(used: UsedConversations): void;
  /** Looks at everything now and then, until `signal` is aborted. */
  keepSweeping(signal: AbortSignal): Promise<void>;
}

const SWEEP_MS = 3_600_000;

export function createConversationPruner(options: {
  projectsDir: string;
  conversations: readonly KeptConversations[];
  controlPlane: Pick<ControlPlane, 'superseded'>;
  /** Conversations of running attempts, whose processes may still read or write them. */
  inUse(): ReadonlySet<string>;
}): ConversationPruner {
  const { projectsDir, conversations, controlPlane, inUse } = options;
  /** One after the other: this is never urgent. */
  let turn: Promise<void> = Promise.resolve();
  let isSupported = true;

  async function prune(list: () => KeptFile[]): Promise<void> {
    if (!isSupported) return;
    try {
      const files = list();
      for (let from = 0; from < files.length; from += MAX_ASKED_CONVERSATIONS) {
        await pruneSome(files.slice(from, from + MAX_ASKED_CONVERSATIONS));
      }
    } catch (error) {
      // An older control plane; it is asked again after this runner restarts.
      if (isUnknownCall(error)) isSupported = false;
      else logger.debug({ error: String(error) }, 'pruning conversations failed; will retry');
    }
  }

  async function pruneSome(files: readonly KeptFile[]): Promise<void> {
    const superseded = await controlPlane.superseded(files.map((each) => each.cliSessionId));
    const used = inUse();
    for (const kept of files) {
      const { cliSessionId } = kept;
      if (superseded.includes(cliSessionId) && !used.has(cliSessionId)) removeKept(kept);
    }
  }

  function queue(list: () => KeptFile[]): Promise<void> {
    turn = turn.then(() => prune(list));
    return turn;
  }

  return {
    look: ({ configDir, cliSessionIds }) =>
      void queue(() => findKeptFiles({ configDir, conversations }, cliSessionIds)),
    async keepSweeping(signal) {
      while (!signal.aborted) {
        await queue(() => listKeptFiles(projectsDir, conversations));
        await wait(SWEEP_MS, undefined, { signal }).catch(() => {});
      }
    },
  };
}
