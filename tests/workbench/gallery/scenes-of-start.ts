/** Scenes of a vault without any conversation. */
import { failure } from '#messages/failures';
import type { ConnectionCheck } from '#ports/app/settings-port';
import { never, type Act, type Scene, type Scenes } from './scene';

const KEY: readonly Act[] = [
  { write: 'sk-ant-api03-abcdefghijklmnop', into: 'API key' },
  { click: 'Save and check' },
];

function checked(check: () => Promise<ConnectionCheck>): Scene {
  return { scripts: [], key: false, answers: { settings: { checkConnection: check } }, acts: KEY };
}

export const START_SCENES: Scenes = {
  'first-run': () => ({ scripts: [], key: false }),
  'first-run-example': () => ({
    scripts: [],
    key: false,
    acts: [{ click: 'See an example first' }],
  }),
  'first-run-checking': () => checked(never),
  'first-run-refused': () =>
    checked(() => Promise.resolve({ ok: false, failure: failure('key'), transport: 'node' })),
  'first-run-offline': () =>
    checked(() => Promise.resolve({ ok: false, failure: failure('network'), transport: 'node' })),
  'first-run-works': () =>
    checked(() => Promise.resolve({ ok: true, models: 9, transport: 'node' })),
  'first-run-own-server': () => ({
    scripts: [],
    key: false,
    settings: { endpoint: 'https://llm.a-house-with-a-long-name.example.internal:8443' },
  }),
  empty: () => ({ scripts: [] }),
  'empty-with-notes': () => ({
    scripts: [],
    vault: { files: ['Welcome.md', 'Lists/Shopping.md'] },
    reading: { note: 'Welcome.md', selection: null },
  }),
  keys: () => ({ scripts: [], acts: [{ click: 'All keys' }] }),
  'not-ready': () => ({ scripts: [], answers: { composer: { drafts: never } } }),
};
