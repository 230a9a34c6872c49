/** What a person has chosen so far, by the question's text. */
export interface Choice {
  labels: readonly string[];
  /** In their own words; holds instead of the labels, or beside them where several may be chosen. */
  own: string;
}

interface AskedQuestion {
  question: string;
  multiSelect: boolean;
}

export const NO_CHOICE: Choice = { labels: [], own: '' };

/** As the agent gets it: labels in commas, own words last. Empty while nothing was chosen. */
export function answerText({ multiSelect }: AskedQuestion, { labels, own }: Choice): string {
  const words = own.trim();
  if (!multiSelect) return words === '' ? (labels[0] ?? '') : words;
  return [...labels, ...(words === '' ? [] : [words])].join(', ');
}

/** The answers to all questions; null while one is missing. */
export function answersOf(
  questions: readonly AskedQuestion[],
  choices: ReadonlyMap<string, Choice>,
): { question: string; answer: string }[] | null {
  const answers = questions.map((asked) => {
    const { question } = asked;
    return { question, answer: answerText(asked, choices.get(question) ?? NO_CHOICE) };
  });
  return answers.some(({ answer }) => answer === '') ? null : answers;
}

/** A click on a label: one of them, or one more or less where several may be chosen. */
export function withLabel(asked: AskedQuestion, choice: Choice, label: string): Choice {
  if (!asked.multiSelect) return { labels: [label], own: '' };
  const { labels } = choice;
  return {
    ...choice,
    labels: labels.includes(label) ? labels.filter((each) => each !== label) : [...labels, label],
  };
}
