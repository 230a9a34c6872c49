import { Document, isMap, isScalar, type Pair, type Scalar, visit } from 'yaml';
import type { ProjectDocument } from '../schema';
import { ABOVE, BEHIND } from './comments';

const HEADER = [
  ' A project of Tierwatch. Compare with: tierwatch project diff <file>; change with: project apply.',
  ' Objects merge with what is there, lists are replaced; a key that is left out stays as it is.',
].join('\n');

/** The document as YAML, with comments that explain units and choices. */
export function writeYaml(document: ProjectDocument): string {
  const yaml = new Document(document, { aliasDuplicateObjects: false });
  yaml.commentBefore = HEADER;
  visit(yaml, { Pair: (_, pair) => comment(pair as Pair<Scalar<string>>, BEHIND) });
  if (isMap<Scalar<string>>(yaml.contents)) {
    for (const pair of yaml.contents.items) {
      const text = ABOVE[pair.key.value];
      pair.key.spaceBefore = text !== undefined;
      if (text) pair.key.commentBefore = text.replaceAll(/^/gm, ' ');
    }
  }
  return yaml.toString({ lineWidth: 0 });
}

function comment(pair: Pair<Scalar<string>>, texts: Record<string, string>): void {
  const text = isScalar(pair.key) ? texts[pair.key.value] : undefined;
  // A comment behind a text of several lines would stand inside of it.
  if (text && isScalar(pair.value) && !String(pair.value.value).includes('\n')) {
    pair.value.comment = ` ${text}`;
  }
}
