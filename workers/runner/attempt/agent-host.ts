/** What an agent finds on this host: its program, its version, and what it may see. */
import type { HostLayout, ModelProvider } from '@/lib/agents/agent';
import type { StartError } from '../process/start-error';

export interface AgentHost extends ProbedAgent {
  passThrough: Record<string, string>;
  apiKey: string | null;
  /** Stands for the provider's account and route; null without a key of its own. */
  account: string | null;
  provider: ModelProvider;
  /** Why starts would fail although the program is there; null: nothing known. */
  obstacle: string | null;
}

export interface ProbedAgent {
  binary: HostLayout['binary'];
  version: string | null;
  /** Hash of the program and the flags it knows. A pointer made under another is not resumed. */
  fingerprint: string | null;
  /** It can continue a conversation in a fork. */
  canResume: boolean;
  /** Set when the program cannot be started; an attempt then ends with it. */
  startError: StartError | null;
}
