/** What a log on a phone leaves out, until Details are asked for. */
export const COLLAPSED_ON_PHONES =
  'group-has-[[data-fills-viewport]]/page:group-has-[[data-header=closed]]/page:max-md:hidden';

/** What a log leaves out on any window narrower than 1280 px. */
export const COLLAPSED_WHEN_NARROW =
  'group-has-[[data-fills-viewport]]/page:group-has-[[data-header=closed]]/page:max-xl:hidden';
