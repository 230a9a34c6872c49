import { formatDuration } from '@/lib/platform/format/duration';
import type { ProblemFigures, ProblemKey } from './problems';
import { wordsOfProblem } from './sentences';

interface ReportedProblem extends ProblemKey {
  /** UUID. */
  id: string;
  figures: ProblemFigures;
  since: Date;
  /** Null while it is open. */
  until: Date | null;
  openingSentAt: Date | null;
}

/**
 * Returns the e-mail about a problem: that it began; that it is over; or both in one, where it was over
 * before anything could be sent.
 *
 * @param publicUrl of the installation
 */
export function messageAbout(
  problem: ReportedProblem,
  publicUrl: string,
): { id: string; subject: string; text: string } {
  const { title, sentence, advice } = wordsOfProblem(problem);
  const { id, since, until } = problem;
  const began = since.toISOString();
  const where = `Installation: ${publicUrl}`;
  if (until === null) {
    return {
      id: `problem-${id}-opened`,
      subject: `[Tierwatch] ${title}`,
      text: `${title}, since ${began}.\n\n${sentence}\n\n${advice}\n\n${where}\n`,
    };
  }
  const lasted = formatDuration(until.getTime() - since.getTime());
  const cause = problem.openingSentAt === null ? `${sentence}\n\n` : '';
  return {
    id: `problem-${id}-over`,
    subject: `[Tierwatch] Resolved: ${title}`,
    text: `Resolved after ${lasted}: ${title}.\n\n${cause}From ${began} to ${until.toISOString()}.\n\n${where}\n`,
  };
}
