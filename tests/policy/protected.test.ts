import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePath } from '#text/paths';
import { protectedReasonInFull, isPlain, protectedReason } from '#policy/protected-paths';
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

describe('protected paths', () => {
  it.each(hostilePaths.filter(({ fate }) => fate === 'protected'))(
    '$raw is protected if the configuration folder is $configDir',
    ({ raw, configDir }) => {
      expect(protectedReason(pathOf(raw), configDir)).toMatch(/is protected/);
    },
  );

  it.each(harmlessPaths)('%j is not protected', (raw) => {
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
  ])('%j is not protected if the configuration folder is %j', (path, configDir) => {
    expect(protectedReason(path, configDir)).toBeNull();
  });

  it.each([
    ['settings/obsidian/app.json', 'settings/obsidian'],
    ['SETTINGS/Obsidian', 'settings/obsidian'],
    ['Re\u0301glages/x', 'R\u00e9glages'],
    ['MYSETT~1/x', 'My Settings'],
    ['MY~1.CON/x', 'my.config'],
  ])('%j is protected if the configuration folder is %j', (path, configDir) => {
    expect(protectedReason(path, configDir)).toMatch(/configuration folder/);
  });

  it('protected paths are recognized in any spelling at any depth', () => {
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

  it('a configuration folder without a dot is recognized in any spelling', () => {
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

  it('the quick test passes only paths that the full check passes', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...['/', '\\', '.', '..', ' ', '~1', ':', '…', '．', '․', '／', '：', '\u200b', '\u00ad'],
        ...[
          'git',
          'GIT',
          'obsidi',
          'config',
          'ＣＯＮＦＩＧ',
          'conﬁg',
          'Réglages',
          'Note.md',
          'straße',
        ],
        ...[
          '\u00a0',
          '\u3000',
          '\u2028',
          '\x85',
          '\n',
          'ﬀ',
          'İ',
          'ı',
          '日本',
          '👩‍🚀',
          '½',
          '㏂',
          '⒈',
        ],
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    const path = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    const configDir = fc.constantFrom(
      ...['.obsidian', 'config', 'Réglages', 'straße', 'conﬁg', 'my settings', 'a/b', '', '…'],
    );
    fc.assert(
      fc.property(path, configDir, (each, config) => {
        if (isPlain(each, config)) expect(protectedReasonInFull(each, config)).toBeNull();
        expect(protectedReason(each, config)).toBe(protectedReasonInFull(each, config));
      }),
      { numRuns: cases.numRuns * 10 },
    );
    for (const each of harmlessPaths) expect(protectedReason(each, '.obsidian')).toBeNull();
  });

  it('the quick test handles nearly all ordinary notes', () => {
    for (const each of ['Lists/Shopping.md', '会議/記録 1.md', 'Ünïcode/ñote (2).md', 'a.b/c.d']) {
      expect(isPlain(each, '.obsidian')).toBe(true);
      expect(isPlain(each, 'config')).toBe(true);
    }
    for (const { raw, fate, configDir } of hostilePaths) {
      if (fate === 'protected') expect(isPlain(pathOf(raw), configDir)).toBe(false);
    }
  });
});
