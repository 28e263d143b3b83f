import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePath } from '#policy/paths';
import { protectedReason } from '#policy/protected';
import { cases } from '#tests/cases';
import { harmlessPaths, hostilePaths } from '#tests/policy/hostile-paths';

function pathOf(raw: string): string {
  const result = parsePath(raw);
  if (!result.ok) throw new Error(result.reason);
  return result.path;
}

/** The same name as some file system would accept it. */
function respelled(name: string): fc.Arbitrary<string> {
  return fc
    .record({
      upper: fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length }),
      form: fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'),
      tail: fc.constantFrom('', '.', ' ', '. .', '::$DATA', ':x', '\u200b', '::$INDEX_ALLOCATION'),
      invisible: fc.constantFrom('', '\u200b', '\u200d', '\u00ad', '\ufeff', '\u2060'),
      at: fc.nat(name.length),
      wide: fc.boolean(),
    })
    .map(({ upper, form, tail, invisible, at, wide }) => {
      const letters = [...name].map((letter, place) => {
        const cased = upper[place] ? letter.toUpperCase() : letter;
        const isAscii = cased > '!' && cased < '~';
        return wide && isAscii ? String.fromCharCode(cased.charCodeAt(0) + 0xfee0) : cased;
      });
      letters.splice(at, 0, invisible);
      return letters.join('').normalize(form) + tail;
    });
}

describe('Protected paths', () => {
  it.each(hostilePaths.filter(({ fate }) => fate === 'protected'))(
    '$raw is protected where the configuration is in $configDir',
    ({ raw, configDir }) => {
      expect(protectedReason(pathOf(raw), configDir)).toMatch(/is protected/);
    },
  );

  it.each(harmlessPaths)('%j is not', (raw) => {
    expect(protectedReason(raw, '.obsidian')).toBeNull();
    expect(protectedReason(raw, 'config')).toBeNull();
  });

  it.each([
    ['Projects/config/app.json', 'config'],
    ['config.md', 'config'],
    ['configuration', 'config'],
    ['config~x', 'config'],
    ['settings/other/x', 'settings/obsidian'],
    ['Note.md', ''],
    ['', '.obsidian'],
  ])('%j is not, where the configuration is in %j', (path, configDir) => {
    expect(protectedReason(path, configDir)).toBeNull();
  });

  it.each([
    ['settings/obsidian/app.json', 'settings/obsidian'],
    ['SETTINGS/Obsidian', 'settings/obsidian'],
    ['Re\u0301glages/x', 'R\u00e9glages'],
    ['MYSETT~1/x', 'My Settings'],
    ['MY~1.CON/x', 'my.config'],
  ])('%j is, where the configuration is in %j', (path, configDir) => {
    expect(protectedReason(path, configDir)).toMatch(/configuration folder/);
  });

  it('are protected in any spelling, at any depth', () => {
    const hidden = fc
      .constantFrom('.git', '.obsidian', '.trash', '.smarthole', '.énv')
      .chain(respelled);
    const parents = fc.array(fc.constantFrom('a', 'Folder', 'é'), { maxLength: 3 });
    fc.assert(
      fc.property(parents, hidden, fc.constantFrom('', '/x.md'), (above, name, below) => {
        const path = [...above, name].join('/') + below;
        const result = parsePath(path);
        if (result.ok) expect(protectedReason(result.path, '.obsidian')).not.toBeNull();
      }),
      cases,
    );
  });

  it('are protected in any spelling of a configuration folder without a dot', () => {
    const config = fc.constantFrom('config', 'Réglages', 'my settings');
    const spelled = config.chain((name) => fc.tuple(fc.constant(name), respelled(name)));
    fc.assert(
      fc.property(spelled, fc.constantFrom('', '/app.json'), ([name, spelling], below) => {
        const result = parsePath(spelling + below);
        if (result.ok) expect(protectedReason(result.path, name)).not.toBeNull();
      }),
      cases,
    );
  });
});
