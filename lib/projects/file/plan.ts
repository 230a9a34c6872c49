/** What a file would make of a project: pure, from its text and what is in force. */
import { InvalidError } from '@/lib/platform/errors';
import { changedFields, type FieldChange } from '../difference';
import { mergeConfig } from '../document/merge';
import { hiddenTargets, type NamedConfig, withPasswords } from '../document/to-document';
import { readYaml, type YamlProblem } from '../document/yaml/read';
import { checkConfig } from '../validate';

export type FilePlan =
  | { ok: true; next: NamedConfig; changes: FieldChange[] }
  | { ok: false; problems: YamlProblem[] };

const HIDDEN =
  'Its password was left out at the export. Leave it out altogether: no check sends one.';

/** Everything that is wrong with the file, by line; or what it changes. */
export function planFile(text: string, current: NamedConfig, now: Date): FilePlan {
  const read = readYaml(text);
  if (!read.ok) return read;
  const document = withPasswords(read.document, current.config);
  const at = (path: string, message: string) => ({ line: read.lineOf(path), path, message });
  const hidden = hiddenTargets(document).map((path) => at(path, HIDDEN));
  if (hidden.length > 0) return { ok: false, problems: hidden };
  try {
    const config = mergeConfig(current.config, document);
    checkConfig(config, now, current.config);
    const next = { name: document.name, slug: document.slug ?? current.slug, config };
    return { ok: true, next, changes: changedFields(flat(current), flat(next)) };
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const problems = Object.entries(error.fields).map(([path, message]) => at(path, message));
    return { ok: false, problems };
  }
}

function flat({ name, slug, config }: NamedConfig) {
  return { name, slug, ...config };
}
