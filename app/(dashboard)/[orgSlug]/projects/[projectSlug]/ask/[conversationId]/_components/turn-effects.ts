/** What taking a turn out of the history does, for the dialogs that ask first. */
export interface TurnPlace {
  position: number;
  /** How many turns follow it in the history. */
  laterTurns: number;
  /** It, or one after it, waits or runs. */
  isMoving: boolean;
}

/** "Turn 3 and the 2 after it" */
export function goneWords({ position, laterTurns }: Omit<TurnPlace, 'isMoving'>): string {
  if (laterTurns === 0) return `Turn ${position}`;
  return `Turn ${position} and the ${laterTurns === 1 ? 'one' : laterTurns} after it`;
}

export function goneEffects(place: TurnPlace): string[] {
  const leaves = place.laterTurns === 0 ? 'leaves' : 'leave';
  return [
    `${goneWords(place)} ${leaves} the history: no agent reads ${place.laterTurns === 0 ? 'it' : 'them'} again.`,
    ...(place.isMoving ? ['What still runs of it is stopped within 10 s.'] : []),
    'What was spent and what the agent did stay on record.',
  ];
}
