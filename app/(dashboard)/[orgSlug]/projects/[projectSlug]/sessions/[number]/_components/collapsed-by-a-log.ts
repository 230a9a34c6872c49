/** What a log leaves out until Details are asked for. */
export const COLLAPSED =
  'group-has-[[data-fills-viewport]]/page:group-has-[[data-header=closed]]/page:hidden';

/** What it leaves out on a window narrower than 1280 px. */
export const COLLAPSED_WHEN_NARROW =
  'group-has-[[data-fills-viewport]]/page:group-has-[[data-header=closed]]/page:max-xl:hidden';

/** What it leaves out on a phone. */
export const COLLAPSED_ON_PHONES =
  'group-has-[[data-fills-viewport]]/page:group-has-[[data-header=closed]]/page:max-md:hidden';
