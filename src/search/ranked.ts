/** All that ranking takes, evaluated when it is first wanted. */
export { bestPassage } from './passages';
export { rank } from './ranking';
export { WordIndex } from './word-index';
