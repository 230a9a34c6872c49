/** How many frames a row may take to be drawn and to come to rest. */
const MAX_FRAMES = 120;
/** A windowed list measures its rows as they are drawn, and moves them until it knows. */
const REST_FRAMES = 4;

/**
 * Brings the row of an event to the middle and keeps it there until it rests. A windowed list
 * draws it only after its scroll, and may take it away and draw it anew while it measures.
 */
export function revealRow(
  box: HTMLElement,
  seq: number,
  scroll: () => void,
  onShown: (row: HTMLElement) => void,
): void {
  let frames = 0;
  let rests = 0;
  let shown: HTMLElement | null = null;
  const look = () => {
    const row = box.querySelector<HTMLElement>(`[data-seq="${seq}"]`);
    if (!row) scroll();
    else if (row !== shown || !isInside(row, box)) {
      center(row, box);
      onShown(row);
      rests = 0;
    } else rests += 1;
    shown = row;
    frames += 1;
    if (rests < REST_FRAMES && frames < MAX_FRAMES) requestAnimationFrame(look);
  };
  scroll();
  requestAnimationFrame(look);
}

function isInside(row: HTMLElement, box: HTMLElement): boolean {
  const { top } = row.getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  return top >= frame.top && top < frame.bottom;
}

/** Moves the box alone: the page around it stays where the reader has it. */
function center(row: HTMLElement, box: HTMLElement): void {
  const frame = box.getBoundingClientRect();
  const place = row.getBoundingClientRect();
  const room = Math.max(0, frame.height - place.height) / 2;
  box.scrollTop += place.top - frame.top - room;
}
