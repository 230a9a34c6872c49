/** The transcript of a conversation, for an agent that starts without the conversation itself. */

/** A message of a person and its answer. */
export interface SaidTurn {
  author: string;
  agent: string;
  message: string;
  /** Null: there was none. */
  answer: string | null;
  /** Questions of the agent and their answers, in order. */
  decided: readonly { header: string; answer: string }[];
}

/** The outcome of one session of the chain that the conversation is about. */
interface ChainPart {
  /** `Tier 2, Session #19`. */
  label: string;
  /** How the session ended, in one sentence. */
  statusText: string;
  /** The stored report; null if there is none. */
  report: Record<string, unknown> | null;
}

export interface Transcript {
  /** Null for a conversation about the project as a whole. */
  chain: { label: string; outcome: string; parts: readonly ChainPart[] } | null;
  turns: readonly SaidTurn[];
}

/** Length in characters from which answers are shortened, the oldest first. */
export const MAX_TRANSCRIPT_CHARS = 240_000;
const SHORTENED_CHARS = 400;

/** Opens and closes the block. No text inside can close it. */
export const FENCE = '~~~~~~';

/**
 * Returns the whole transcript as one fenced block of data; null if nothing came before. Answered
 * questions of the agent are left out, so that it doesn't ask them again, and their answers are
 * listed instead.
 */
export function renderTranscript(transcript: Transcript): string | null {
  const { chain, turns } = transcript;
  if (!chain && turns.length === 0) return null;
  const head = chain ? [chainText(chain)] : [];
  let parts = turns.map((turn) => turnText(turn, turn.answer));
  for (const [index, turn] of turns.entries()) {
    if (lengthOf([...head, ...parts]) <= MAX_TRANSCRIPT_CHARS) break;
    const answer = turn.answer && shortened(turn.answer);
    parts = parts.with(index, turnText(turn, answer));
  }
  const text = [...head, ...parts].join('\n\n').replaceAll('~', '˜');
  return [FENCE, text, FENCE].join('\n');
}

function turnText({ author, agent, message, decided }: SaidTurn, answer: string | null): string {
  const choices = decided.map((choice) => `Operator decided (${choice.header}): ${choice.answer}`);
  return [
    `[Operator ${author}]`,
    message,
    ...choices,
    `[Agent ${agent}]`,
    answer ?? '(This message was not answered.)',
  ].join('\n');
}

function chainText(chain: NonNullable<Transcript['chain']>): string {
  const parts = chain.parts.map(({ label, statusText, report }) =>
    [
      `[${label}] ${statusText}`,
      ...(report ? [JSON.stringify(report)] : ['(It left no report.)']),
    ].join('\n'),
  );
  return [`[${chain.label}] ${chain.outcome}`, ...parts].join('\n\n');
}

function shortened(answer: string): string {
  if (answer.length <= SHORTENED_CHARS) return answer;
  return `${answer.slice(0, SHORTENED_CHARS).toWellFormed()} [shortened]`;
}

function lengthOf(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.length + 2, 0);
}
