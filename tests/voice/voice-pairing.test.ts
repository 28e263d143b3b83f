import { describe, expect, it } from 'vitest';
import { VoicePairing, type PairedConnection } from '#voice/voice-pairing';

function rig(stored: unknown = null) {
  const state = { stored, isConnected: true };
  let wanted: PairedConnection = { port: 9473, name: 'simone' };
  const pairing = new VoicePairing({
    get: () => state.stored,
    set: (saved) => (state.stored = saved),
    wanted: () => wanted,
    isConnected: () => state.isConnected,
  });
  return { pairing, state, want: (next: PairedConnection) => (wanted = next) };
}

describe('VoicePairing', () => {
  it('voice decides nothing until the user has allowed it for an open connection', () => {
    const { pairing, state } = rig();
    expect(pairing.decisions.allowed).toBe(false);
    state.isConnected = false;
    expect(pairing.pair()).toBe(false);
    expect(pairing.decisions).toEqual({ allowed: false });
    state.isConnected = true;
    expect(pairing.pair()).toBe(true);
    expect(pairing.decisions).toEqual({ allowed: true, port: 9473, name: 'simone' });
  });

  it.each([
    { port: 9474, name: 'simone' },
    { port: 9473, name: 'bob' },
  ])(
    'another connection (port $port, name $name) is not paired, and returning to the old one does not restore it',
    (other) => {
      const { pairing, want } = rig();
      pairing.pair();
      want(other);
      expect(pairing.decisions.allowed).toBe(false);
      pairing.check();
      want({ port: 9473, name: 'simone' });
      expect(pairing.decisions.allowed).toBe(false);
    },
  );

  it('a pairing survives a restart and a lost connection', () => {
    const first = rig();
    first.pairing.pair();
    const { pairing, state } = rig(first.state.stored);
    state.isConnected = false;
    pairing.check();
    expect(pairing.decisions.allowed).toBe(true);
  });

  it.each([null, 'yes', true, { port: '9473', name: 'simone' }, {}])(
    'a damaged pairing (%j) counts as none',
    (stored) => {
      expect(rig(stored).pairing.decisions.allowed).toBe(false);
    },
  );

  it('unpairing takes effect at once', () => {
    const { pairing } = rig();
    pairing.pair();
    pairing.unpair();
    expect(pairing.decisions.allowed).toBe(false);
  });
});
