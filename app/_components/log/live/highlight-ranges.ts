/** A place in a list of texts: which text, and the offset within it in UTF-16 units. */
interface TextPlace {
  text: number;
  offset: number;
}

export interface TextRange {
  start: TextPlace;
  end: TextPlace;
}

/**
 * Returns where the words occur in texts that follow each other in one line, in order and without
 * overlap. A match may begin in one text and end in a later one; capitals don't matter.
 */
export function highlightRanges(texts: readonly string[], words: string): TextRange[] {
  const wanted = foldCase(words.trim());
  if (wanted === '') return [];
  const line = foldCase(texts.join(''));
  const ranges: TextRange[] = [];
  let text = 0;
  let textStart = 0;
  /** Moves on to the text that holds this offset. At a boundary an end belongs to the text before. */
  const placeOf = (offset: number, isEnd: boolean): TextPlace => {
    for (;;) {
      const length = texts[text]?.length ?? 0;
      const isHere = isEnd ? offset <= textStart + length : offset < textStart + length;
      if (isHere || text >= texts.length - 1) return { text, offset: offset - textStart };
      textStart += length;
      text += 1;
    }
  };
  for (let at = line.indexOf(wanted); at !== -1; at = line.indexOf(wanted, at + wanted.length)) {
    ranges.push({ start: placeOf(at, false), end: placeOf(at + wanted.length, true) });
  }
  return ranges;
}

/** Lower case of the same length: the few characters that would grow ("İ") stay as they are. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return [...text]
    .map((character) => {
      const small = character.toLowerCase();
      return small.length === character.length ? small : character;
    })
    .join('');
}
