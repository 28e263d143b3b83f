/**
 * What a user sees of a pending edit, and what the file holds, after the user, another program or
 * another device has changed the note. `EDIT_TABLE=FILE` writes it down as a table.
 */
import { deleteCharBackward } from '@codemirror/commands';
import { EditorState, type Transaction } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import '#workbench/boot-headless';
import { editorLivePreviewField } from 'obsidian';
import { editNotPending } from '#messages/action-messages';
import * as t from '#messages/edit-messages';
import { withoutDamaged } from '#model/edit/edit-decisions';
import type { DecideReport, PendingNote } from '#model/pending-edit';
import { blockGuard } from '#obsidian/editor/block-guard';
import { scripted } from '#workbench/model/scripted';
import {
  type Headless,
  openStage,
  readFileIn,
  type Reply,
  type State,
  writeFileIn,
} from './driver';

const LINE = 'The quick brown fox jumps.\n';
/** The note without blocks, with other lines in place of those that the edit is about. */
const plan = (lines: string) => `# Plan\n\nAbove it.\n\n${lines}\nBelow it.\n`;
const BEFORE = plan(LINE);
const AFTER = BEFORE.replace('brown', 'red');
const BLOCK = /```ai-edit\n(.*\n)```\n#ai_edit\n/;

type Change = (note: string) => string;

interface Row {
  /** What is done to the file. */
  readonly change: Change;
  /** The edits as the review shows them. */
  readonly seen: readonly string[];
  /** The file after Accept; if that is refused, the sentence. */
  readonly accepted: string;
  /** The file after Reject, or after Remove of a stale or damaged edit. */
  readonly rejected: string;
}

const PENDING = 'Pending';
const STALE = `Stale. ${t.staleExplained}`;
const FOREIGN = `Foreign. ${t.fromOtherDevice}`;
const DAMAGED = `${t.damagedBlocks(1)}. ${t.damagedExplained}`;
const REFUSED = t.EDIT_REFUSALS.stale;
const NONE = editNotPending;

/** The keys that users press below a block, the cursor at the start of the line below it. */
function backspace(times: number, isLive: boolean): Change {
  return (note) => {
    let state = EditorState.create({
      doc: note,
      selection: { anchor: note.indexOf('Below it.') },
      extensions: [editorLivePreviewField.init(() => isLive), blockGuard()],
    });
    const dispatch = (transaction: Transaction) => void (state = transaction.state);
    for (let press = 0; press < times; press += 1) {
      deleteCharBackward({ state, dispatch } as unknown as EditorView);
    }
    return state.doc.toString();
  };
}

/** The fence, the JSON, the closing fence and the tag. */
function linesOfBlock(note: string): readonly string[] {
  return ['```ai-edit\n', BLOCK.exec(note)?.[1] ?? '', '```\n', '#ai_edit\n'];
}

/** @param kept which lines of the block stay */
function onlyLines(...kept: readonly number[]): Change {
  return (note) => {
    const lines = linesOfBlock(note).filter((_, at) => kept.includes(at));
    return note.replace(BLOCK, () => lines.join(''));
  };
}

function withLines(lines: string): Change {
  return (note) => note.replace(LINE, () => lines);
}

const gone = (change: Change): Row => ({
  ...{ change, seen: [], accepted: NONE, rejected: BEFORE },
});
const damaged = (change: Change, rejected = BEFORE): Row => ({
  ...{ change, seen: [DAMAGED], accepted: NONE, rejected },
});
const stale = (change: Change, rejected: string): Row => ({
  ...{ change, seen: [STALE], accepted: REFUSED, rejected },
});
const pending = (change: Change, accepted: string, rejected: string): Row => ({
  ...{ change, seen: [PENDING], accepted, rejected },
});
/** The line in another form. */
const inForm = (line: (color: string) => string): Row =>
  pending(withLines(line('brown')), plan(line('red')), plan(line('brown')));

/** The beginning of the JSON. */
const FIELDS = '{"id":"ID","type":"replace","before":"The quick brown';
const half = (json: string) => json.slice(0, json.indexOf(' brown'));
const cutJson: Change = (note) => {
  const [, json = ''] = linesOfBlock(note);
  return note.replace(json, () => `${half(json)}\n`);
};
const moved = (note: string) => `${note.replace(LINE, '')}\n${LINE}`;
const movedWhole: Change = (note) => {
  const whole = LINE + linesOfBlock(note).join('');
  return `${note.replace(`${whole}\n`, '')}\n${whole}`;
};
const END = '# Plan\n\nAbove it.\n\nBelow it.\n\n';

/** While Parley runs. */
const ROWS: Readonly<Record<string, Row>> = {
  'Nothing is changed': pending((note) => note, AFTER, BEFORE),
  'The block is selected and deleted in source mode, or on disk by another program':
    gone(onlyLines()),
  'Backspace below the block in live preview: the blank line, the block is selected, the block': {
    ...gone(backspace(3, true)),
    rejected: BEFORE.replace('\n\nBelow', '\nBelow'),
  },
  'The first two of these Backspaces': pending(
    backspace(2, true),
    AFTER.replace('\n\nBelow', '\nBelow'),
    BEFORE.replace('\n\nBelow', '\nBelow'),
  ),
  'Backspace 12 times below the block in source mode, into the closing fence': damaged(
    backspace(12, false),
    BEFORE.replace('\n\nBelow', '\n``Below'),
  ),
  'The opening fence is deleted': damaged(onlyLines(1, 2, 3)),
  'The JSON is deleted': damaged(onlyLines(0, 2, 3)),
  'The closing fence is deleted': damaged(onlyLines(0, 1, 3)),
  'The tag is deleted': pending(onlyLines(0, 1, 2), AFTER, BEFORE),
  'Only the tag is left': { ...gone(onlyLines(3)), rejected: plan(`${LINE}#ai_edit\n`) },
  'Only the JSON is left': damaged(onlyLines(1)),
  'The JSON is cut in half': damaged(cutJson, plan(`${LINE}${half(FIELDS)}\n`)),
  'A word that stays is changed': inForm((color) => `The quick ${color} fox leaps.\n`),
  'The word above the change is changed': inForm((color) => `The swift ${color} fox jumps.\n`),
  'The word that would change is changed': stale(
    withLines('The quick black fox jumps.\n'),
    plan('The quick black fox jumps.\n'),
  ),
  'The change is made by hand': pending(withLines(LINE.replace('brown', 'red')), AFTER, AFTER),
  'All words are changed': stale(withLines('Another one!\n'), plan('Another one!\n')),
  'The lines are emphasized and wrapped': inForm((color) => `The **quick** ${color} fox\njumps.\n`),
  'The lines become a list item': inForm((color) => `- The quick ${color} fox jumps.\n`),
  'The lines become a quote': inForm((color) => `> The quick ${color} fox jumps.\n`),
  'The lines are indented': inForm((color) => `  The quick ${color} fox jumps.\n`),
  'Spaces are added below': inForm((color) => `The quick ${color} fox jumps.  \n`),
  'The lines are deleted': stale(withLines(''), '# Plan\n\nAbove it.\n\nBelow it.\n'),
  'The lines are moved, the block is not': stale(moved, `${END}${LINE}`),
  'Lines and block are moved': pending(
    movedWhole,
    `${END}${LINE.replace('brown', 'red')}`,
    `${END}${LINE}`,
  ),
  'The lines are doubled': pending(
    withLines(`${LINE}\n${LINE}`),
    plan(`${LINE}\n${LINE.replace('brown', 'red')}`),
    plan(`${LINE}\n${LINE}`),
  ),
  'Lines and block are doubled': {
    change: (note) => {
      const whole = LINE + linesOfBlock(note).join('');
      return note.replace(whole, () => `${whole}\n${whole}`);
    },
    seen: [PENDING, FOREIGN],
    accepted: plan(`${LINE.replace('brown', 'red')}\n${LINE}{block}\n`),
    rejected: plan(`${LINE}\n${LINE}{block}\n`),
  },
  'The line above is changed': pending(
    (note) => note.replace('Above', 'Over'),
    AFTER.replace('Above', 'Over'),
    BEFORE.replace('Above', 'Over'),
  ),
  'The line above and a word are changed': stale(
    (note) => note.replace('Above', 'Over').replace('jumps.\n`', 'leaps.\n`'),
    BEFORE.replace('Above', 'Over').replace('jumps', 'leaps'),
  ),
  'Blank lines are added around the block': pending(
    (note) => note.replace(/(```ai-edit[^]*#ai_edit\n)/, '\n$1\n\n'),
    AFTER,
    BEFORE,
  ),
  'The line endings become CRLF': pending(
    (note) => note.replaceAll('\n', '\r\n'),
    AFTER.replaceAll('\n', '\r\n'),
    BEFORE.replaceAll('\n', '\r\n'),
  ),
};

/** While Parley is not running. */
const ROWS_OFF: Readonly<Record<string, Row>> = {
  'The block is deleted': gone(onlyLines()),
  'The opening fence is deleted': damaged(onlyLines(1, 2, 3)),
  'A word that stays is changed': inForm((color) => `The quick ${color} fox leaps.\n`),
  'The word that would change is changed': stale(
    withLines('The quick black fox jumps.\n'),
    plan('The quick black fox jumps.\n'),
  ),
};

type Decided = Reply & DecideReport;

async function noteIn(headless: Headless, path: string): Promise<PendingNote | undefined> {
  const { edits } = await headless.send<State & { edits: readonly PendingNote[] }>('state');
  return edits.find((note) => note.path === path);
}

async function shown(headless: Headless, path: string): Promise<string[]> {
  const note = await noteIn(headless, path);
  const edits = (note?.edits ?? []).map(({ isForeign, isStale }) =>
    isStale ? STALE : isForeign ? FOREIGN : PENDING,
  );
  return [
    ...edits,
    ...(note?.damaged ? [t.damagedBlocks(note.damaged) + `. ${t.damagedExplained}`] : []),
  ];
}

/** Decides an edit of a note, and returns the file after that, or the sentence if it is refused. */
async function decided(
  { headless, vault }: Desk,
  choice: 'accept' | 'reject',
  path: string,
  edit: string,
): Promise<string> {
  const { ok, reason, unapplied } = await headless.send<Decided>(choice, { edit, note: path });
  if (!ok) return reason ?? '';
  return unapplied[0]?.why ?? textIn(vault, path);
}

interface Desk {
  readonly vault: string;
  readonly headless: Headless;
}

function textIn(vault: string, path: string): string {
  return readFileIn(vault, path) ?? '';
}

function idIn(note: string): string {
  return /"id":"([^"]+)"/.exec(note)?.[1] ?? 'none';
}

const REVIEW = { settings: { panelMode: 'review' } };

async function propose(headless: Headless, path: string): Promise<void> {
  const edits = [{ old_text: 'brown', new_text: 'red' }];
  const called = await headless.send('tool', { name: 'edit_file', input: { path, edits } });
  expect(called).toMatchObject({ ok: true });
}

/** Each row has a note that is accepted and one that is rejected. */
function filesOf(rows: Readonly<Record<string, Row>>): Record<string, string> {
  const names = Object.keys(rows).flatMap((_, at) => [`accept ${at}.md`, `reject ${at}.md`]);
  return Object.fromEntries(names.map((name) => [name, BEFORE]));
}

async function expectRows(
  rows: Readonly<Record<string, Row>>,
  ids: ReadonlyMap<string, string>,
  desk: Desk,
  place: string,
): Promise<void> {
  const { headless, vault } = desk;
  for (const [at, [name, row]] of Object.entries(rows).entries()) {
    const [accepting, rejecting] = [`accept ${at}.md`, `reject ${at}.md`];
    await expect.poll(() => shown(headless, accepting), { message: name }).toEqual(row.seen);
    const changed = textIn(vault, accepting);
    const id = ids.get(accepting) ?? '';
    const accepted = (await decided(desk, 'accept', accepting, id)).replace(BLOCK, '{block}\n');
    expect.soft(accepted, `${name}: accepted`).toBe(row.accepted);
    const isRefused = [REFUSED, NONE].includes(row.accepted);
    if (isRefused) expect(textIn(vault, accepting)).toBe(changed);
    await expect.poll(() => shown(headless, rejecting), { message: name }).toEqual(row.seen);
    await decided(desk, 'reject', rejecting, ids.get(rejecting) ?? '');
    const rest = withoutDamaged(textIn(vault, rejecting))
      .replace(BLOCK, '{block}\n')
      .replace(ids.get(rejecting) ?? '', 'ID');
    expect.soft(rest, `${name}: rejected`).toBe(row.rejected);
    record(
      place,
      name,
      row.seen,
      isRefused ? `“${row.accepted}”` : inWords(accepted),
      inWords(rest),
    );
  }
}

function inWords(text: string): string {
  if (text === BEFORE) return 'the text before';
  if (text === AFTER) return 'the text after';
  const short = text
    .replace(BLOCK, '{block}\n')
    .replace(/^# Plan\n\nAbove it\.\n\n/, '')
    .replace(/\n\nBelow it\.\n$/, '');
  return `\`${short.replaceAll('\r', '␍').replaceAll('\n', '⏎').replaceAll('`', "'")}\``;
}

const TABLE = process.env['EDIT_TABLE'];

function record(...cells: readonly (string | readonly string[])[]): void {
  if (!TABLE) return;
  const row = cells.map((cell) => (typeof cell === 'string' ? cell : cell.join('; ') || 'No edit'));
  appendFileSync(TABLE, `| ${row.join(' | ')} |\n`);
}

/** What a program writes into the vault of another device. */
function sync(path: string, from: Desk, to: Desk): void {
  writeFileIn(to.vault, path, textIn(from.vault, path));
}

interface TwoDevices {
  readonly here: Desk;
  readonly there: Desk;
  readonly path: string;
  readonly id: string;
}

interface DeviceRow {
  /** Leaves both devices with the same file. */
  readonly happens: (devices: TwoDevices) => Promise<void>;
  readonly seen: { readonly here: readonly string[]; readonly there: readonly string[] };
  readonly file: string;
}

/** Expects what a decision of one device makes of the file. */
async function decides(desk: Desk, choice: 'accept' | 'reject', { path, id }: TwoDevices) {
  const file = choice === 'accept' ? AFTER : BEFORE;
  expect(await decided(desk, choice, path, id)).toBe(file);
}

const LEAPS = withLines('The quick brown fox leaps.\n');
const nobody = { here: [], there: [] };

const DEVICE_ROWS: Readonly<Record<string, DeviceRow>> = {
  'The note is synced': {
    happens: async () => undefined,
    seen: { here: [PENDING], there: [FOREIGN] },
    file: 'the block',
  },
  'The other device accepts': {
    async happens(all) {
      await decides(all.there, 'accept', all);
      sync(all.path, all.there, all.here);
    },
    ...{ seen: nobody, file: AFTER },
  },
  'Both accept': {
    async happens(all) {
      await decides(all.there, 'accept', all);
      await decides(all.here, 'accept', all);
      sync(all.path, all.there, all.here);
    },
    ...{ seen: nobody, file: AFTER },
  },
  'This device accepts, the other one rejects and is synced last': {
    async happens(all) {
      await decides(all.here, 'accept', all);
      await decides(all.there, 'reject', all);
      sync(all.path, all.there, all.here);
    },
    ...{ seen: nobody, file: BEFORE },
  },
  'This device accepts, the user edits the lines on the other one, which is synced last': {
    async happens(all) {
      const { here, there, path } = all;
      await decides(here, 'accept', all);
      writeFileIn(there.vault, path, LEAPS(textIn(there.vault, path)));
      sync(path, there, here);
    },
    seen: { here: [PENDING], there: [FOREIGN] },
    file: 'the block',
  },
  'This device accepts, the user edits another line on the other one, and both are merged': {
    async happens(all) {
      await decides(all.here, 'accept', all);
      for (const { vault } of [all.here, all.there]) {
        writeFileIn(vault, all.path, AFTER.replace('Below', 'Under'));
      }
    },
    ...{ seen: nobody, file: AFTER.replace('Below', 'Under') },
  },
};

test('an edit in a note that two devices change is foreign on the other one, and gone when one has decided it', async () => {
  const paths = Object.keys(DEVICE_ROWS).map((_, at) => `note ${at}.md`);
  const files = Object.fromEntries(paths.map((path) => [path, BEFORE]));
  await using stage = await openStage(scripted([]), files);
  await using other = await openStage(scripted([]), files);
  const here = { vault: stage.vault, headless: await stage.start(REVIEW) };
  const there = { vault: other.vault, headless: await other.start(REVIEW) };
  for (const [at, [name, { happens, seen, file }]] of Object.entries(DEVICE_ROWS).entries()) {
    const path = `note ${at}.md`;
    await propose(here.headless, path);
    const id = idIn(textIn(here.vault, path));
    sync(path, here, there);
    await expect.poll(() => shown(there.headless, path)).toEqual([FOREIGN]);
    // Not among all, unless the user asks for edits of other devices.
    const all = await there.headless.send('accept', { edit: 'all', note: path });
    expect(all).toMatchObject({ ok: false });
    await happens({ here, there, path, id });
    await expect.poll(() => shown(here.headless, path), { message: name }).toEqual(seen.here);
    await expect.poll(() => shown(there.headless, path), { message: name }).toEqual(seen.there);
    const text = textIn(here.vault, path);
    expect(textIn(there.vault, path)).toBe(text);
    if (file === 'the block') expect(text).toMatch(BLOCK);
    else expect(text, name).toBe(file);
    const [own, others] = [seen.here, seen.there].map((each) => each.join('; ') || 'no edit');
    record('Two devices', name, `here: ${own}; there: ${others}`, inWords(text), '');
  }
});

test('the copy of a note with an edit, made by the user or by a sync conflict, has an edit of its own', async () => {
  await using stage = await openStage(scripted([]), { 'Plan.md': BEFORE, 'Other.md': BEFORE });
  const desk = { vault: stage.vault, headless: await stage.start(REVIEW) };
  const copies = { 'Plan.md': 'Plan 1.md', 'Other.md': 'Other (conflict).md' };
  for (const [path, copy] of Object.entries(copies)) {
    await propose(desk.headless, path);
    writeFileIn(desk.vault, copy, textIn(desk.vault, path));
    await expect.poll(() => shown(desk.headless, copy)).toEqual([FOREIGN]);
    expect(await shown(desk.headless, path)).toEqual([PENDING]);
    const [name, id] = [`The note is copied to “${copy}”`, idIn(textIn(desk.vault, path))];
    const accepted = await decided(desk, 'accept', copy, id);
    expect([accepted, await decided(desk, 'reject', path, id)]).toEqual([AFTER, BEFORE]);
    const seen = [`in the note: ${PENDING}`, `in the copy: ${FOREIGN}`];
    record('Copy', name, seen, `copy: ${inWords(accepted)}`, `note: ${inWords(BEFORE)}`);
  }
});

test('an edit in a note that the user or another program changes is decided rightly, stale, damaged or gone', async () => {
  await using stage = await openStage(scripted([]), filesOf(ROWS));
  const { vault } = stage;
  const headless = await stage.start(REVIEW);
  const ids = new Map<string, string>();
  for (const [at, { change }] of Object.values(ROWS).entries()) {
    for (const path of [`accept ${at}.md`, `reject ${at}.md`]) {
      await propose(headless, path);
      const note = textIn(vault, path);
      ids.set(path, idIn(note));
      writeFileIn(vault, path, change(note));
    }
  }
  await expectRows(ROWS, ids, { vault, headless }, 'Parley runs');
});

test('an edit in a note that is changed while the plugin is off is decided rightly, stale, damaged or gone', async () => {
  await using stage = await openStage(scripted([]), filesOf(ROWS_OFF));
  const { vault } = stage;
  const first = await stage.start(REVIEW);
  const ids = new Map<string, string>();
  for (const path of Object.keys(filesOf(ROWS_OFF))) {
    await propose(first, path);
    ids.set(path, idIn(textIn(vault, path)));
  }
  await first.kill();
  for (const [at, { change }] of Object.values(ROWS_OFF).entries()) {
    for (const path of [`accept ${at}.md`, `reject ${at}.md`]) {
      writeFileIn(vault, path, change(textIn(vault, path)));
    }
  }
  await expectRows(ROWS_OFF, ids, { vault, headless: await stage.start(REVIEW) }, 'Parley was off');
});
