/** What was said so far, for an agent that starts without its conversation. */

/** A person's message and what came of it. */
export interface SaidTurn {
  author: string;
  agent: string;
  message: string;
  /** Null: there was none. */
  answer: string | null;
  /** What the agent asked in between and how people decided, in their order. */
  decided: readonly { header: string; answer: string }[];
}

/** What one session of the chain that the conversation is about came to. */
interface ChainPart {
  /** `Tier 2, session #19`. */
  label: string;
  /** How it ended, in one sentence. */
  statusText: string;
  /** The report as it is stored; null where there is none. */
  report: Record<string, unknown> | null;
}

export interface Transcript {
  /** Null for a conversation about the project as a whole. */
  chain: { label: string; outcome: string; parts: readonly ChainPart[] } | null;
  turns: readonly SaidTurn[];
}

/** From here on the oldest answers are shortened, the oldest first. */
export const MAX_TRANSCRIPT_CHARS = 240_000;
const SHORTENED_CHARS = 400;

/** Nothing inside of it can end it. */
export const FENCE = '~~~~~~';

/**
 * The whole transcript as one fenced block of data; null where nothing came before. Questions of
 * the agent that were answered are left out, so that it does not ask them again: what was decided
 * stands in their place.
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
