import { z } from 'zod';
import { encodeId } from '@/lib/platform/ids';
import type { Redactor } from '@/lib/platform/redaction/redactor';
import { checkpointCountsSchema, checkpointTriggerSchema } from '@/lib/protocol/checkpoint';
import type { CheckpointRow } from './data';
import type { CheckpointDto } from './schema';

const textsSchema = z.array(z.string());

/** Redacted again: a secret may be known today that nobody knew when it was stored. */
export function toCheckpointDto(row: CheckpointRow, redactor: Redactor): CheckpointDto {
  const { project, ...session } = row.session;
  const texts = (value: unknown) => textsSchema.parse(value).map((text) => redactor.text(text));
  return {
    id: encodeId('chk', row.id),
    project: { ...project, id: encodeId('prj', project.id) },
    session: { ...session, id: encodeId('ses', session.id) },
    attemptId: encodeId('att', row.attemptId),
    label: `#${session.number}.${row.attempt.number}`,
    trigger: checkpointTriggerSchema.parse(row.trigger),
    digest: redactor.text(row.digest),
    counts: checkpointCountsSchema.parse(row.counts),
    queries: texts(row.recentQueries),
    remembered: texts(row.remembered),
    harness: row.harness,
    projectPath: redactor.text(row.projectPath),
    projectPathNormalized: redactor.text(row.projectPathNormalized),
    hookSessionId: row.hookSessionId,
    isLate: row.isLate,
    at: row.at.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
