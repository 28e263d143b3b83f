/** Text of SmartHole's status. */
import type { SmartHoleStatus } from '#model/smarthole-status';
import { capitalize } from '#text/shorten';
import * as t from './voice-messages';

/** A few words for the status bar and the menu, and what to do. Both make sense alone. */
export function smartHoleStatusText(state: SmartHoleStatus): { label: string; detail: string } {
  switch (state.kind) {
    case 'off':
      return { label: t.off, detail: t.off };
    case 'connecting':
      return state.tries === 0
        ? { label: t.connecting, detail: t.connecting }
        : { label: t.notRunning, detail: t.notRunningDetail };
    case 'connected': {
      const name = capitalize(state.name);
      return { label: t.sayName(name), detail: t.connected(name) };
    }
    case 'refused':
      return {
        label: t.refusedConnection,
        detail: `${t.refusedConnection}. ${state.reason} ${state.remedy}`,
      };
  }
}
