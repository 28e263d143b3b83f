import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../cases';
import { validateRegistration } from '#workbench/smarthole/registrations';
import { DEFAULT_SETTINGS, routingDescriptionOf } from '#model/settings';
import { wireNameFrom } from '#model/wire-name';
import { descriptionProblem, nameProblem, connectionPlan } from '#voice/registration';
import { SETTINGS } from './rig';

describe('The wire name', () => {
  it.each([
    ['Miss Simone', 'simone'],
    ['  Simone ', 'simone'],
    ['SIMONE', 'simone'],
    ['Mary-Jane O’Neil', 'oneil'],
    ['Miss Renée', 'renee'],
    ['Jürgen', 'jurgen'],
    ['Agent 007', 'agent'],
    ['HAL 9000b', 'b'],
    ['R2D2', 'r2d2'],
    ['Simone 🌸', 'simone'],
    ['京都', 'parley'],
    ['42', 'parley'],
    ['', 'parley'],
    ['   ', 'parley'],
    ['__proto__', 'proto'],
  ])('wireNameFrom turns "%s" into %s', (assistant, wire) => {
    expect(wireNameFrom(assistant)).toBe(wire);
  });

  it('wireNameFrom returns a valid wire name for any assistant name', () => {
    const names = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\w \-é]{0,200}$/));
    fc.assert(
      fc.property(names, (assistant) => {
        expect(wireNameFrom(assistant)).toMatch(/^[a-z][a-z0-9]{0,54}$/);
      }),
      cases,
    );
  });
});

describe('Validation before connecting', () => {
  it('SmartHole accepts every name and description that pass validation', () => {
    const names = fc.oneof(fc.string(), fc.stringMatching(/^[a-zA-Z0-9_ -]{0,70}$/));
    const descriptions = fc.oneof(
      fc.string(),
      fc.integer({ max: 1_100, min: 0 }).map((n) => '🌸x'.repeat(n)),
    );
    fc.assert(
      fc.property(names, descriptions, (name, description) => {
        if (nameProblem(name) !== null || descriptionProblem(description) !== null) return;
        expect(validateRegistration({ name, description })).toMatchObject({ ok: true });
      }),
      cases,
    );
  });

  it('validation refuses the names and descriptions that SmartHole refuses', () => {
    for (const name of ['', '1a', '-a', 'a b', 'a.b', 'é', 'a'.repeat(65)]) {
      expect(validateRegistration({ name, description: 'x' })).toMatchObject({
        code: 'INVALID_NAME',
      });
      expect(nameProblem(name)).not.toBeNull();
    }
    for (const description of ['', ' \t', 'x'.repeat(1_025)]) {
      expect(validateRegistration({ name: 'a', description })).toMatchObject({
        code: 'INVALID_DESCRIPTION',
      });
      expect(descriptionProblem(description)).not.toBeNull();
    }
  });

  it("connectionPlan prefers the wake word from the settings to the one made from the assistant's name", () => {
    expect(connectionPlan({ ...SETTINGS, wireName: ' mary_1-B ' })).toMatchObject({
      registration: { name: 'mary_1-B' },
    });
    expect(connectionPlan(SETTINGS)).toMatchObject({ registration: { name: 'simone' } });
  });
});

describe('The routing description', () => {
  const named = (assistantName: string, routingDescription = DEFAULT_SETTINGS.routingDescription) =>
    routingDescriptionOf({ assistantName, routingDescription });

  it("the default description begins with the assistant's name, also after the name has changed", () => {
    expect(named('Miss Simone')).toMatch(/^Miss Simone: I manage personal notes/);
    expect(named('Bob')).toMatch(/^Bob: I manage personal notes/);
    expect(named('Ada', named('Bob'))).toMatch(/^Ada: I manage personal notes/);
    expect(named('  ')).toMatch(/^Parley: I manage/);
  });

  it("a description of the user's own stays as it is", () => {
    expect(named('Bob', 'Only recipes.')).toBe('Only recipes.');
  });

  it('the default description stays within the limit for the longest name', () => {
    expect(descriptionProblem(named('x'.repeat(100)))).toBeNull();
  });
});
