/** Edits of the front matter, in which the user changes other properties meanwhile. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { proposeText } from '#model/edit/cut-edits';
import { decideEdits } from '#model/edit/edit-decisions';
import { decidePart, partsOfEdit } from '#model/edit/edit-parts';
import { ANY_DEVICE, editsOf, readEdits } from '#model/edit/note-edits';
import { options } from './notes';

type Properties = Readonly<Record<string, string>>;

const NAMES = ['title', 'tags', 'status', 'due', 'up'] as const;
const VALUES = ['one', '"two: 2"', '[a, b]', '\n  - a\n  - "[[B]]"', '2026-11-27', ''];

const properties: fc.Arbitrary<Properties> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)), {
    ...{ selector: ([name]) => name, minLength: 1, maxLength: NAMES.length },
  })
  .map((entries) => Object.fromEntries(entries));
/** Another value, or null to remove the property. */
const changes = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.option(fc.constantFrom(...VALUES, 'three', '[c]')),
  { minKeys: 1, noNullPrototype: true },
);
const BODY = '\nText.\n';

function printed(all: Properties): string {
  const lines = Object.entries(all).map(([name, value]) =>
    value.startsWith('\n') ? `${name}:${value}\n` : `${name}: ${value}\n`,
  );
  return `---\n${lines.join('')}---\n`;
}

function changed(all: Properties, set: Readonly<Record<string, string | null>>): Properties {
  const next = { ...all, ...set };
  return Object.fromEntries(
    Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** The properties of a note by name, however they are ordered. */
function sorted(text: string): string[] {
  const [, yaml = ''] = /^---\n([^]*?)---\n/.exec(text) ?? [];
  return (yaml.match(/^\w.*\n(?:[ ].*\n)*/gm) ?? []).sort();
}

const given = fc
  .record({ before: properties, agent: changes, user: changes })
  .filter(({ before, agent }) => {
    const after = changed(before, agent);
    return Object.keys(after).length > 0 && printed(after) !== printed(before);
  });

describe('An edit of the properties', { timeout: CASES_TIMEOUT_MS }, () => {
  it('changes its properties only, and is stale if the user has changed one of them', () => {
    fc.assert(
      fc.property(given, ({ before, agent, user }) => {
        const after = changed(before, agent);
        const note = printed(before) + BODY;
        const text =
          proposeText(readEdits(note, ANY_DEVICE), printed(after) + BODY, options())?.text ?? '';
        const live = changed(before, user);
        fc.pre(Object.keys(live).length > 0);
        const now = text.replace(printed(before), () => printed(live));
        const [edit] = editsOf(readEdits(now, ANY_DEVICE));
        const mine = Object.keys(agent).filter((name) => before[name] !== after[name]);
        const isSame = (name: string) => live[name] === before[name] || live[name] === after[name];
        const rejected = decideEdits(readEdits(now, ANY_DEVICE), () => 'reject').text;
        expect(rejected).toBe(printed(live) + BODY);
        if (!mine.every(isSame)) {
          expect(edit?.isStale).toBe(true);
          expect(decideEdits(readEdits(now, ANY_DEVICE), () => 'accept').text).toBe(now);
        } else {
          expect(edit?.isStale).toBe(false);
          const own = Object.fromEntries(mine.map((name) => [name, after[name] ?? null]));
          const accepted = decideEdits(readEdits(now, ANY_DEVICE), () => 'accept').text;
          expect(sorted(accepted)).toEqual(sorted(printed(changed(live, own))));
          expect(accepted.endsWith(`---\n${BODY}`)).toBe(true);
        }
      }),
      cases,
    );
  });

  it('can be decided property by property in any order', () => {
    fc.assert(
      fc.property(given, fc.infiniteStream(fc.nat()), ({ before, agent }, random) => {
        const after = changed(before, agent);
        const note = printed(before) + BODY;
        let now =
          proposeText(readEdits(note, ANY_DEVICE), printed(after) + BODY, options())?.text ?? '';
        const wanted = { ...before } as Record<string, string | null>;
        for (let steps = 0; steps < 10; steps += 1) {
          const [edit] = editsOf(readEdits(now, ANY_DEVICE));
          const parts = edit ? partsOfEdit(edit) : [];
          if (!edit || parts.length === 0) break;
          const at = (random.next().value ?? 0) % parts.length;
          const choice = (random.next().value ?? 0) % 2 === 0 ? 'accept' : 'reject';
          const { property } = parts[at] ?? {};
          expect(property).not.toBeNull();
          if (choice === 'accept') wanted[property ?? ''] = after[property ?? ''] ?? null;
          const done = decidePart(readEdits(now, ANY_DEVICE), edit.id, at, choice);
          expect(done).toMatchObject({ ok: true, isLast: parts.length === 1 });
          now = done.ok ? done.text : now;
        }
        expect(editsOf(readEdits(now, ANY_DEVICE))).toEqual([]);
        expect(sorted(now)).toEqual(sorted(printed(changed({}, wanted))));
      }),
      cases,
    );
  });
});
