/** Text of SmartHole's status. */
import type { SmartHoleStatus } from '#model/smarthole-status';
import { capitalize } from '#text/shorten';
import * as t from './voice-messages';

/** A short label, and a sentence that says what to do. */
export function smartHoleStatusText(state: SmartHoleStatus): { label: string; detail: string } {
  switch (state.kind) {
    case 'off':
      return { label: 'off', detail: t.off };
    case 'connecting':
      return state.tries === 0
        ? { label: 'connecting', detail: t.connecting }
        : {
            label: t.notRunning,
            detail: t.notRunningDetail,
          };
    case 'connected':
      return {
        label: state.name,
        detail: t.connected(capitalize(state.name)),
      };
    case 'refused':
      return { label: 'refused', detail: `${state.reason} ${state.remedy}` };
  }
}
