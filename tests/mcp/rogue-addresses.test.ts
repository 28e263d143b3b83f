import { describe, expect, it } from 'vitest';
import { settle } from '../builders/fake-clock';
import { serversBench } from './bench';
import { rogueAddress } from './rogue-address';

/** Lets pending work run until the condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settle();
}

describe('A misbehaving MCP server over HTTP', () => {
  it.each(['huge', 'huge_event', 'comments', 'other_events'])(
    'the client cuts off an answer that is too large: %s',
    async (tool) => {
      await using far = await rogueAddress();
      await using here = serversBench([far.server], { quiet: 20_000 });
      await here.offered();
      expect(await here.call(tool)).toMatch(
        /^Its answer is larger than 10 MB, and was not taken\./,
      );
      expect(far.sent).toBeLessThan(40_000_000);
      expect(await here.call('echo')).toBe('Here I am.');
      expect(far.asked['initialize']).toBe(1);
    },
  );

  it('the client closes a stream that continues after the answer', async () => {
    await using far = await rogueAddress();
    await using here = serversBench([far.server], { quiet: 20_000 });
    await here.offered();
    expect(await here.call('goes_on')).toBe('And on.');
    await until(() => far.streams === 0);
  });

  it.each([
    ['in time', undefined, /^No answer: it said nothing for 0.4 s/],
    ['before the user stops it', 20_000, /^Stopped by the user/],
  ])(
    'the client closes a stream that has no answer %s, and does not resume it',
    async (_, quiet, told) => {
      await using far = await rogueAddress();
      await using here = serversBench([far.server], { quiet });
      await here.offered();
      const stop = new AbortController();
      const call = here.call('drip', {}, stop.signal);
      await until(() => far.streams === 1);
      if (quiet !== undefined) stop.abort();
      expect(await call).toMatch(told);
      await until(() => far.streams === 0);
      await settle();
      expect(here.clock.pending).toBe(0);
      expect(await here.call('echo')).toBe('Here I am.');
    },
  );

  it.each([500, 503, 429, 418, 403])(
    'the client keeps the server up after a call with HTTP status %i',
    async (status) => {
      await using far = await rogueAddress();
      await using here = serversBench([far.server], { quiet: 20_000 });
      await here.offered();
      const said = 'The cellar is full of water.';
      expect(await here.call('status', { status, said })).toBe(
        `The server answered with the status ${status}. Whether the call did anything is not known.\n${said}`,
      );
      expect(await here.call('echo')).toBe('Here I am.');
      expect(far.asked['initialize']).toBe(1);
    },
  );

  it('the client redacts a token that the server repeats in an error', async () => {
    await using far = await rogueAddress();
    await using here = serversBench([{ ...far.server, secret: 'far' }], { quiet: 20_000 });
    here.secrets['far'] = 'open-sesame';
    await here.offered();
    const said = 'Nobody comes in with open-sesame.';
    expect(await here.call('status', { status: 500, said })).toMatch(
      /\nNobody comes in with •••\.$/,
    );
  });

  it.each(['page', 'garble'])(
    'the client keeps the server up after an invalid answer to a call: %s',
    async (tool) => {
      await using far = await rogueAddress();
      await using here = serversBench([far.server], { quiet: 20_000 });
      await here.offered();
      expect(await here.call(tool)).toMatch(/^It did not work\.\n/);
      expect(await here.call('echo')).toBe('Here I am.');
      expect(far.asked['initialize']).toBe(1);
    },
  );

  it('the client marks the server as down with a reason when it refuses the token', async () => {
    await using far = await rogueAddress();
    await using here = serversBench([far.server], { quiet: 20_000 });
    await here.offered();
    expect(await here.call('status', { status: 401, said: '' })).toMatch(/the status 401\./);
    expect(here.servers.status(far.server)).toMatchObject({
      ...{ kind: 'down', reason: 'It refused the token, or wants one.' },
    });
  });

  it('a request that the server calls bad fails alone, and the session goes on', async () => {
    await using far = await rogueAddress();
    await using here = serversBench([far.server], { quiet: 20_000 });
    await here.offered();
    expect(await here.call('wrong')).toMatch(/status 400\..*The name is too long\./s);
    expect(await here.call('echo')).toBe('Here I am.');
    expect(far.asked).toMatchObject({ initialize: 1, 'tools/call': 2 });
  });

  it.each([
    ['says so', []],
    ['takes that for a mistake', ['strict']],
  ])(
    'the client connects again, without a retry delay, when the restarted server %s',
    async (_, manners) => {
      await using far = await rogueAddress(...manners);
      await using here = serversBench([far.server], { quiet: 20_000 });
      await here.offered();
      expect(await here.call('forget')).toBe('Forgotten.');
      expect(await here.call('echo')).toMatch(/^The server answered with the status 40[04]\./);
      expect(await here.call('echo')).toBe('Here I am.');
      expect(far.asked).toMatchObject({ initialize: 2, 'tools/call': 3 });
      expect(here.servers.announcements()).toEqual([]);
    },
  );

  it('the client reconnects at most once a second when the server keeps ending its stream', async () => {
    await using far = await rogueAddress('restless');
    await using here = serversBench([far.server], { quiet: 20_000 });
    await here.offered();
    for (let times = 1; times < 4; times += 1) {
      await until(() => here.clock.pending === 1);
      await here.clock.advance(999);
      expect(far.asked['GET']).toBe(times);
      await here.clock.advance(1);
      await until(() => far.asked['GET'] === times + 1);
    }
    await until(() => here.clock.pending === 1);
    await here.servers.close();
    expect(here.clock.pending).toBe(0);
  });
});
