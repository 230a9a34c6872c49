/** Every shortcut of the product, as the list behind `?` shows them. */
export interface Shortcut {
  /** Pressed one after the other. */
  keys: readonly string[];
  does: string;
}

export const SHORTCUTS: readonly { where: string; shortcuts: readonly Shortcut[] }[] = [
  {
    where: 'Anywhere',
    shortcuts: [
      { keys: ['⌘K'], does: 'Find a page, a chain or an act (Ctrl K)' },
      { keys: ['?'], does: 'This list' },
      { keys: ['/'], does: 'Search or filter what is shown' },
      { keys: ['g', 'h'], does: 'Go home' },
      { keys: ['g', 'c'], does: 'Go to chains' },
      { keys: ['g', 's'], does: 'Go to sessions' },
      { keys: ['g', 'q'], does: 'Go to the questions of the project' },
      { keys: ['g', 'r'], does: 'Go to runners' },
      { keys: ['g', 'w'], does: 'Go to webhooks' },
      { keys: ['g', 'a'], does: 'Go to activity' },
      { keys: ['g', 'p'], does: 'Go to settings of the project or organization' },
    ],
  },
  {
    where: 'In a list',
    shortcuts: [
      { keys: ['j'], does: 'Next row' },
      { keys: ['k'], does: 'Row before' },
      { keys: ['Enter'], does: 'Open the row' },
      { keys: ['o'], does: 'Open the row in a new tab' },
    ],
  },
  {
    where: 'On a session',
    shortcuts: [
      { keys: ['p'], does: 'The session it came from' },
      { keys: ['t'], does: 'Its chain' },
      { keys: ['f'], does: 'Follow the log' },
      { keys: ['e'], does: 'Fold all calls, or open them' },
      { keys: ['n'], does: 'Next problem in the log' },
      { keys: ['N'], does: 'Problem before' },
    ],
  },
];
