import type { StartSpec } from '@/lib/protocol/spec';
import type { ConfigFolder } from '../conversations/kept-files';
import type { StartError } from '../process/start-error';
import type { AgentHost } from './agent-host';
import type { VerifiedFact } from './command-event';
import { isFolder } from './folder-identity';
import { readTranscript } from './transcript-file';

interface Comparison {
  verified: VerifiedFact[];
  /** The first difference. */
  error: StartError | null;
}

/**
 * Compares the host with what the decision was made for: the agent, and for a conversation to resume
 * the files that its process left.
 */
export function compareWithHost(
  { continuation, agent }: StartSpec,
  workDir: string,
  kept: ConfigFolder,
  host: AgentHost,
): Comparison {
  const verified: VerifiedFact[] = [];
  if (agent?.fingerprint && host.fingerprint !== null) {
    const difference = agentDifference(agent, host);
    if (difference) return { verified, error: { code: 'agent_changed', message: difference } };
    verified.push('agent');
  }
  if (continuation.mode !== 'resume') return { verified, error: null };
  const { parentCliSessionId, workDirInode, transcript } = continuation;
  if (workDirInode) {
    if (!isFolder(workDir, workDirInode)) {
      const message = `The work directory ${workDir} has changed since the conversation.`;
      return { verified, error: { code: 'work_dir_changed', message } };
    }
    verified.push('work_dir');
  }
  // The CLI itself rejects a conversation whose file is gone.
  const found = transcript ? readTranscript(kept, parentCliSessionId) : null;
  if (transcript && found) {
    if (found.sha256 !== transcript.sha256) {
      const message = `The transcript of conversation ${parentCliSessionId} has ${found.bytes} bytes with SHA-256 ${found.sha256}. When its process ended it had ${transcript.bytes} bytes with SHA-256 ${transcript.sha256}.`;
      return { verified, error: { code: 'transcript_changed', message } };
    }
    verified.push('transcript');
  }
  return { verified, error: null };
}

function agentDifference(
  evaluated: NonNullable<StartSpec['agent']>,
  host: AgentHost,
): string | null {
  if (evaluated.fingerprint !== host.fingerprint) {
    return `its program was replaced by version ${host.version ?? 'unknown'} since the last report.`;
  }
  return evaluated.account !== null && evaluated.account !== host.account
    ? 'its account of the model provider changed since the last report.'
    : null;
}
