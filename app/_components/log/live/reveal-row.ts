/** How many frames a row may take to be drawn and to come to rest. */
const MAX_FRAMES = 120;
/** A windowed list measures its rows as they are drawn, and moves them until it knows. */
const REST_FRAMES = 4;

interface Reveal {
  seq: number;
  /** Brings the row near the view, so that it's drawn. */
  scroll: () => void;
  /** What is to stand in the middle: the row, or a match inside it. */
  spotOf?: (row: HTMLElement) => DOMRect;
  onShown: (row: HTMLElement) => void;
}

/**
 * Brings the row of an event to the middle and keeps it there until it rests. A windowed list
 * draws it only after its scroll, and may remove and redraw it while it measures.
 */
export function revealRow(box: HTMLElement, { seq, scroll, spotOf, onShown }: Reveal): void {
  let frames = 0;
  let rests = 0;
  let shown: HTMLElement | null = null;
  const look = () => {
    const row = box.querySelector<HTMLElement>(`[data-seq="${seq}"]`);
    const spot = row && (spotOf ?? placeOf)(row);
    if (!row || !spot) scroll();
    else if (row !== shown || !isInside(spot, box)) {
      center(spot, box);
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

function placeOf(row: HTMLElement): DOMRect {
  return row.getBoundingClientRect();
}

function isInside({ top }: DOMRect, box: HTMLElement): boolean {
  const frame = box.getBoundingClientRect();
  return top >= frame.top && top < frame.bottom;
}

/** Moves the box alone: the page around it stays where the reader has it. */
function center(spot: DOMRect, box: HTMLElement): void {
  const frame = box.getBoundingClientRect();
  const room = Math.max(0, frame.height - spot.height) / 2;
  box.scrollTop += spot.top - frame.top - room;
}
