/** `SuggestModal` and `FuzzySuggestModal`, as used by the command palette. */
import type { FuzzyMatch } from 'obsidian';
import {
  FuzzySuggestModal,
  Modal,
  SuggestModal,
  prepareFuzzySearch,
} from 'obsidian-test-mocks/obsidian';
import { renderMatches } from '../functions';
import { afterConstructor, patch } from '../patch';

interface Shown {
  values: unknown[];
  selected: number;
  /** Counter that identifies the latest query, so that late results of an older one are dropped. */
  turn: number;
}

const shownBy = new WeakMap<object, Shown>();

function shown(modal: object): Shown {
  const known = shownBy.get(modal) ?? { values: [], selected: 0, turn: 0 };
  shownBy.set(modal, known);
  return known;
}

export function patchSuggestModals(): void {
  afterConstructor(SuggestModal<unknown>, 'constructor2__', (modal) => {
    const { modalEl, inputEl, resultContainerEl, scope } = modal;
    modalEl.className = 'prompt';
    inputEl.className = 'prompt-input';
    inputEl.type = 'text';
    resultContainerEl.className = 'prompt-results';
    const container = createDiv('prompt-input-container');
    container.append(inputEl);
    modalEl.replaceChildren(container, resultContainerEl);
    inputEl.addEventListener('input', () => void suggest(modal));
    const move = (by: number) => () => {
      const { values, selected } = shown(modal);
      if (values.length > 0) select(modal, (selected + by + values.length) % values.length);
      return false;
    };
    scope.register([], 'ArrowDown', move(1));
    scope.register([], 'ArrowUp', move(-1));
    scope.register([], 'Enter', (event) => {
      modal.selectActiveSuggestion(event);
      return false;
    });
  });

  patch(SuggestModal<unknown>, {
    open() {
      Modal.prototype.open.call(this);
      this.inputEl.focus();
      void suggest(this);
    },
    selectActiveSuggestion(event) {
      const { values, selected } = shown(this);
      if (selected < values.length) this.selectSuggestion(values[selected], event);
    },
    selectSuggestion(value, event) {
      this.close();
      this.onChooseSuggestion(value, event);
    },
  });

  patch(FuzzySuggestModal<unknown>, {
    getSuggestions(query) {
      return fuzzyMatches(this, query);
    },
    renderSuggestion(match, el) {
      renderMatch(this, match, el);
    },
    onChooseSuggestion({ item }, event) {
      this.onChooseItem(item, event);
    },
  });
}

/** Implements the methods that the mocks leave abstract. */
export abstract class FuzzyModal<Item> extends FuzzySuggestModal<Item> {
  override getSuggestions(query: string): FuzzyMatch<Item>[] {
    return fuzzyMatches(this, query);
  }

  override renderSuggestion(match: FuzzyMatch<Item>, el: HTMLElement): void {
    renderMatch(this, match, el);
  }
}

function fuzzyMatches<Item>(modal: FuzzySuggestModal<Item>, query: string): FuzzyMatch<Item>[] {
  const wanted = query.trim();
  const find = prepareFuzzySearch(wanted);
  const found = modal.getItems().flatMap((item): FuzzyMatch<Item>[] => {
    const match = wanted === '' ? { score: 0, matches: [] } : find(modal.getItemText(item));
    return match ? [{ item, match }] : [];
  });
  // Items that contain the query literally come before fuzzy matches.
  const rank = ({ item }: FuzzyMatch<Item>): number =>
    modal.getItemText(item).toLowerCase().includes(wanted.toLowerCase()) ? 0 : 1;
  return found.sort((one, other) => rank(one) - rank(other));
}

function renderMatch<Item>(
  modal: FuzzySuggestModal<Item>,
  { item, match }: FuzzyMatch<Item>,
  el: HTMLElement,
): void {
  renderMatches(el, modal.getItemText(item), match.matches);
}

async function suggest(modal: SuggestModal<unknown>): Promise<void> {
  const state = shown(modal);
  const turn = ++state.turn;
  const all = await modal.getSuggestions(modal.inputEl.value);
  if (turn !== state.turn) return;
  state.values = all.slice(0, modal.limit || 100);
  const { resultContainerEl } = modal;
  resultContainerEl.empty();
  for (const [index, value] of state.values.entries()) {
    const el = resultContainerEl.createDiv('suggestion-item');
    modal.renderSuggestion(value, el);
    el.addEventListener('click', (event) => modal.selectSuggestion(value, event));
    el.addEventListener('mousemove', () => select(modal, index));
  }
  if (state.values.length > 0) return select(modal, 0);
  modal.onNoSuggestion();
  resultContainerEl.createDiv({ cls: 'suggestion-empty', text: modal.emptyStateText });
}

function select(modal: SuggestModal<unknown>, index: number): void {
  shown(modal).selected = index;
  for (const [at, el] of [...modal.resultContainerEl.children].entries()) {
    el.classList.toggle('is-selected', at === index);
    if (at === index) el.scrollIntoView({ block: 'nearest' });
  }
}
