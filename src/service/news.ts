/** What binds the agent, as the model was last told, and what of it is another by now. */
import { limitNews, switchedOffNews, switchedOnNews, type Limits } from '#agent/limit-words';
import type { Mode } from '#model/mode';
import type { Settings } from '#model/settings';
import { capabilitiesOf } from './tool-room';

export interface Binding {
  readonly limits: Limits;
  /** Tools of the conversation's list that are off. */
  readonly off: readonly string[];
}

export function limitsOf(mode: Mode, settings: Settings): Limits {
  const capabilities = capabilitiesOf(settings);
  const all = ['add', 'replace', 'create', 'navigate'] as const;
  return {
    mode,
    scope: settings.editableScope,
    withheld: all.filter((each) => !capabilities[each]),
  };
}

/** Lines for the model; none where all is as it was told. */
export function newsOf(told: Binding, now: Binding): string[] {
  return [
    ...limitNews(told.limits, now.limits),
    ...switchedOffNews(now.off.filter((name) => !told.off.includes(name))),
    ...switchedOnNews(told.off.filter((name) => !now.off.includes(name))),
  ];
}
