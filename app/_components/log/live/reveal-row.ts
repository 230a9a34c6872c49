/** How many frames a row may take to be drawn. */
const MAX_FRAMES = 120;

/**
 * Brings the row of an event to the middle. A windowed list draws it only after its scroll, so
 * this asks again each frame until the row is there.
 */
export function revealRow(
  box: HTMLElement,
  seq: number,
  scroll: () => void,
  onShown: (row: HTMLElement) => void,
): void {
  let frames = 0;
  const look = () => {
    const row = box.querySelector<HTMLElement>(`[data-seq="${seq}"]`);
    if (row) {
      row.scrollIntoView({ block: 'center' });
      onShown(row);
      return;
    }
    frames += 1;
    if (frames > MAX_FRAMES) return;
    scroll();
    requestAnimationFrame(look);
  };
  scroll();
  requestAnimationFrame(look);
}
