/**
 * Scrolls a growing list of turns. Its end is in view as long as the newest turn fits; a longer turn
 * keeps its start at the top, and the reader scrolls on.
 */
import { observeSizes } from '../shared/follow-window';

/**
 * Pixels from the end that still count as the end, because a zoomed window rarely scrolls to whole
 * pixels.
 */
const NEAR = 24;

/**
 * What stays in view while the list grows. `turn`: its end, but no less than the start of the newest
 * turn, or of what that turn waited for. `end`: its end, because the reader has scrolled there.
 * `reader`: what the reader has scrolled to.
 */
export type Followed = 'turn' | 'end' | 'reader';

export interface TurnFollower {
  /** Shows the newest turn, and follows it. */
  toTurn(): void;
  toEnd(): void;
  /**
   * Scrolls to the open question or approval of the newest turn, unless the reader has scrolled
   * elsewhere. If the turn is taller than the view, the question is kept in view at the top in place
   * of the request, so that the text after it is seen from its beginning.
   */
  reveal(): void;
  /** Nothing that is in view moves from now on, until the reader scrolls to the end. */
  leave(): void;
  /**
   * To be called when a turn ends. What is added below it comes into view only for a reader at the
   * end, and only if what is in the lower half of the view stays in view.
   */
  turnEnded(): void;
  close(): void;
}

export interface ListState {
  readonly followed: Followed;
  /** Whether the end is out of view, apart from empty space. */
  readonly isAway: boolean;
}

/**
 * @param newest returns the element of the newest turn
 * @param onState called with the state after each change
 */
export function followTurn(
  scroller: HTMLElement,
  content: HTMLElement,
  newest: () => Element | null,
  onState: (state: ListState) => void,
): TurnFollower {
  let followed: Followed = 'turn';
  let isAway = false;
  /** The turn whose start is kept in view. */
  let turn: Element | null = null;
  /** Pixels below that start which are kept in view instead. */
  let below = 0;
  /** The last known position and extent. Another position in the same extent is the reader's. */
  let top = 0;
  let extent = '';
  let height = 0;
  /** Minimum height of the content; 0 for none. */
  let floor = 0;
  /** The newest turn, if it has ended with its end in view, and the position then. */
  let ended: { readonly turn: Element | null; readonly top: number } | null = null;

  const endTop = () => scroller.scrollHeight - scroller.clientHeight;
  const contentTop = () => content.getBoundingClientRect().top;
  const startTop = () =>
    turn?.isConnected ? turn.getBoundingClientRect().top - contentTop() + below : Infinity;
  const toNewest = () => {
    const next = newest();
    if (next !== turn) below = 0;
    turn = next;
  };
  const contentHeight = () =>
    (content.lastElementChild?.getBoundingClientRect().bottom ?? contentTop()) - contentTop();
  /** Pixels of the content below the view, without the space that `floor` leaves; negative for none. */
  const hiddenBelow = () =>
    endTop() - scroller.scrollTop - (floor > 0 ? Math.max(0, floor - contentHeight()) : 0);
  const extentNow = () => `${scroller.scrollHeight} ${scroller.clientHeight}`;
  const report = () => {
    extent = extentNow();
    isAway = hiddenBelow() > NEAR;
    onState({ followed, isAway });
  };
  const moveTo = (to: number) => {
    if (Math.abs(scroller.scrollTop - to) >= 1) scroller.scrollTop = to;
    top = scroller.scrollTop;
  };
  /** Work that folds at the end of a turn leaves a space, so that its request stays in place. */
  const setFloor = (pixels: number) => {
    floor = pixels;
    content.style.minHeight = floor > 0 ? `${floor}px` : '';
  };
  const isLong = () => {
    below = 0;
    return startTop() < endTop() - NEAR;
  };
  /**
   * Puts the open question of a long turn in place of its start. Each time, because the browser gives
   * a turn its height only after it has drawn it.
   */
  const toWaiting = () => {
    const waiting = turn?.querySelector('[data-waiting]');
    if (waiting && isLong())
      below = waiting.getBoundingClientRect().top - contentTop() - startTop();
  };
  const follow = () => {
    // A new turn is followed only if the end was in view; its sender is shown it by `toTurn`.
    if (!turn?.isConnected || !isAway) toNewest();
    toWaiting();
    moveTo(followed === 'end' ? endTop() : Math.min(endTop(), startTop()));
    report();
  };
  /** Scrolls to what is added to a turn that has ended. Returns whether the view stays with its end. */
  const staysAtEnd = () => {
    if (!ended) return false;
    const hidden = Math.max(0, hiddenBelow());
    const moved = scroller.scrollTop + hidden - ended.top;
    if (newest() !== ended.turn || moved > scroller.clientHeight / 2) ended = null;
    else moveTo(scroller.scrollTop + hidden);
    return ended !== null;
  };
  const resized = () => {
    const before = height;
    height = contentHeight();
    if (height >= floor) setFloor(0);
    const missing = top - endTop();
    // What is above the space may move again, such as the button below the list.
    if (followed === 'turn' && missing > 0 && (height < before || floor > 0)) {
      setFloor(content.offsetHeight + missing);
      moveTo(top);
      return report();
    }
    if (staysAtEnd()) return report();
    if (followed !== 'reader') return follow();
    top = scroller.scrollTop;
    report();
  };
  /** A turn that fits is followed until it outgrows the view. */
  const followedAtEnd = () => {
    toNewest();
    return isLong() ? 'end' : 'turn';
  };
  const scrolled = () => {
    // The browser moves what is in view while turns above get their real heights.
    if (extentNow() !== extent) return resized();
    if (Math.abs(scroller.scrollTop - top) >= 2) {
      top = scroller.scrollTop;
      ended = null;
      followed = hiddenBelow() <= NEAR ? followedAtEnd() : 'reader';
    }
    report();
  };
  scroller.addEventListener('scroll', scrolled, { passive: true });
  const unobserve = observeSizes([scroller, content], resized);
  height = contentHeight();
  follow();
  const set = (next: Followed) => {
    ended = null;
    followed = next;
    follow();
  };
  return {
    toTurn() {
      setFloor(0);
      below = 0;
      toNewest();
      set('turn');
    },
    toEnd() {
      setFloor(0);
      set(followedAtEnd());
    },
    reveal() {
      if (followed === 'reader') return;
      toNewest();
      set(followed);
    },
    leave() {
      ended = null;
      followed = 'reader';
      report();
    },
    turnEnded() {
      ended = isAway ? null : { turn: newest(), top: scroller.scrollTop };
      if (followed === 'end') followed = 'reader';
    },
    close() {
      unobserve();
      scroller.removeEventListener('scroll', scrolled);
    },
  };
}
