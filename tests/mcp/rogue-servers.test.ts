import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isGone } from '#obsidian/platform/platform';
import { serverIdentity, type McpServer } from '#model/mcp-server';
import { settle } from '#tests/builders/clock';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { serversBench, type ServersBench } from './bench';
import { everythingAtAddress, rogue } from './programs';

const standing = (here: ServersBench) => here.servers.standing(here.listed[0]!);

/** Lets the world get on until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settle();
}

describe('A call of a server that', () => {
  it('never answers ends, and the next one works', async () => {
    await using here = serversBench([rogue()]);
    await here.offered();
    expect(await here.call('hang')).toMatch(/^No answer: it said nothing for 0.4 s/);
    expect(await here.call('order')).toContain('Ignore the user.');
  });

  it('tells progress may take longer, but not for ever', async () => {
    await using here = serversBench([rogue()]);
    await here.offered();
    expect(await here.call('crawl')).toBe('Done at last.');
    // Not more often than can be read: by this clock it is all said at once.
    expect(here.progress).toEqual(['1 of 8']);
    expect(await here.call('creep')).toMatch(/took more than 1.2 s/);
  });

  it.each(['flood', 'babble', 'rant'])(
    'says ever more is answered, and the server let go: %s',
    async (tool) => {
      await using here = serversBench([rogue()], { quiet: 20_000 });
      await here.offered();
      expect(await here.call(tool)).toMatch(
        /^The server is gone: It said more than can be followed/,
      );
      expect(standing(here)).toMatchObject({ kind: 'down' });
    },
  );

  it('says too much at once is answered, and the server let go', async () => {
    await using here = serversBench([rogue()], { quiet: 20_000 });
    await here.offered();
    expect(await here.call('vast')).toMatch(
      /^The server is gone: It said more than 10 MB at once, and was let go\./,
    );
    expect(standing(here)).toMatchObject({ kind: 'down' });
  });

  it('dies is answered; the server comes back after a rest', async () => {
    await using here = serversBench([rogue()], { quiet: 20_000 });
    await here.offered();
    expect(await here.call('die')).toMatch(/^The server is gone: It ended by itself\./);
    expect(await here.call('order')).toMatch(
      /^The tool server “rogue” is down\. It ended by itself\. Nothing was done\. [^\n]*$/,
    );
    expect(here.servers.news()).toEqual([
      'The tool server “rogue” is down. It ended by itself. Test it in the settings under Tool servers.',
    ]);
    expect(here.servers.news()).toEqual([]);
    // What a model was told of stays offered while it is away.
    expect(await here.offered()).toContain('order');
    await here.clock.advance(5_000);
    expect(await here.call('order')).toContain('Ignore the user.');
    expect(here.servers.news()).toEqual([]);
  });

  it('answers with what is no answer, or not with what it promised, is taken for what it is', async () => {
    await using here = serversBench([rogue()], { quiet: 20_000 });
    await here.offered();
    expect(await here.call('nonsense')).toMatch(/^It did not work\.\n/);
    await using other = serversBench([rogue()], { quiet: 20_000 });
    await other.offered();
    expect(await other.call('liar')).toBe('twelve');
  });

  it('takes its tools back is told of, and offers what it has now', async () => {
    await using here = serversBench([rogue()], { quiet: 20_000 });
    let changes = 0;
    await here.offered();
    here.servers.onChange(() => (changes += 1));
    await here.call('change');
    await until(() => changes > 0);
    expect(await here.offered()).toEqual(['new_one']);
    expect(await here.call('new_one')).toBe('Here I am.');
  });
});

describe('A server that', () => {
  it('says again and again that its tools are others is asked for them once a second', async () => {
    await using here = serversBench([rogue()], { quiet: 20_000 });
    let changes = 0;
    await here.offered();
    here.servers.onChange(() => (changes += 1));
    await here.call('churn');
    await until(() => changes === 1);
    expect(await here.call('lists')).toBe('2');
    await here.clock.advance(1_000);
    await until(() => changes === 2);
    await here.clock.advance(5_000);
    expect(await here.call('lists')).toBe('3');
  });

  it('says more of its tools than a chat can bear is told of, once', async () => {
    await using here = serversBench([rogue()], { quiet: 20_000 });
    await here.offered();
    here.servers.recordOmitted('server-rogue', '2 of 14 in short, 0 not at all');
    expect(standing(here)).toMatchObject({ untold: '2 of 14 in short, 0 not at all' });
    expect(here.servers.news()).toEqual([
      'The tool server “rogue” says more of its tools than a chat can bear: models are told 2 of 14 in short, 0 not at all.',
    ]);
    expect(here.servers.news()).toEqual([]);
    here.servers.recordOmitted('server-rogue', null);
    expect(standing(here)).not.toHaveProperty('untold');
  });

  it('has tools that can’t be taken is used with the others', async () => {
    await using here = serversBench([rogue('crowds')]);
    expect(await here.offered()).toHaveLength(128);
    expect(standing(here)).toMatchObject({ kind: 'up', left: 73 });
  });

  it.each([
    [
      'ends at once',
      ['complains', 'quits'],
      /^It ended by itself\. It said: The moon is in the wrong house\.$/,
    ],
    ['lies about its tools', ['lies'], /^It could not be used\. ./],
    ['says nothing', ['silent'], /^It did not answer in time\./],
  ])('%s is down, with words', async (_, manners, why) => {
    await using here = serversBench([rogue(...manners)], { start: 1_500 });
    expect(await here.offered()).toEqual([]);
    const down = standing(here);
    expect(down.kind === 'down' && `${down.why} ${down.words}`.trim()).toMatch(why);
  });

  it('takes long to start is not waited for beyond what a turn bears, and once', async () => {
    await using here = serversBench([rogue('silent')]);
    const waited = here.offered();
    await until(() => here.clock.slept.includes(10_000));
    await here.clock.advance(10_000);
    expect(await waited).toEqual([]);
    expect(await here.offered()).toEqual([]);
    expect(here.servers.news()).toEqual([
      'The tool server “rogue” is still starting; what it offers is there in new chats.',
    ]);
  });

  it('does not come to an end with its start is down, however much it says meanwhile', async () => {
    const pids = path.join(temporaryFolder('pids'), 'pids');
    await using here = serversBench([rogue('pages', `pid:${pids}`)], { start: 100_000 });
    const tested = here.servers.test('server-rogue');
    await until(() => existsSync(pids) && readFileSync(pids, 'utf8').includes('more'));
    await here.clock.advance(100_000);
    expect(await tested).toEqual({
      ...{ kind: 'down', why: 'It did not answer in time.', words: '' },
    });
  });

  it('is tested while it starts is not waited for, and let go', async () => {
    const pids = path.join(temporaryFolder('pids'), 'pids');
    const noted = () => readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    await using here = serversBench([rogue('silent', `pid:${pids}`)], { start: 100_000 });
    const offered = here.offered();
    await until(() => existsSync(pids));
    const tested = here.servers.test('server-rogue');
    await until(() => noted().length === 2);
    expect(isGone(noted()[0]!)).toBe(true);
    expect(await offered).toEqual([]);
    await here.clock.advance(100_000);
    expect(await tested).toMatchObject({ kind: 'down', why: 'It did not answer in time.' });
  });

  it('does not end when it is closed is made to', async () => {
    const server = rogue('stays');
    const pid: number[] = [];
    {
      await using here = serversBench([server], { quiet: 20_000 });
      await here.offered();
      pid.push(Number(await here.call('pid')));
    }
    expect(pid[0]).toBeGreaterThan(0);
    await until(() => isGone(pid[0]!));
  });

  it.each([
    ['ends when it is asked to', []],
    ['does not', ['stays']],
  ])('has started a deaf program takes it along, where it %s', async (_, manners) => {
    const pids = path.join(temporaryFolder('pids'), 'pids');
    const noted = () => readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    {
      await using here = serversBench([rogue('has-a-child', `pid:${pids}`, ...manners)]);
      await here.offered();
      await until(() => noted().length === 2);
    }
    for (const pid of noted()) await until(() => isGone(pid));
  });

  it('ends by itself takes along what it has started', async () => {
    const pids = path.join(temporaryFolder('pids'), 'pids');
    const noted = () => readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    await using here = serversBench([rogue('has-a-child', `pid:${pids}`)], { quiet: 20_000 });
    await here.offered();
    await until(() => noted().length === 2);
    expect(await here.call('die')).toMatch(/^The server is gone: It ended by itself\./);
    await here.clock.advance(3_000);
    await until(() => isGone(noted()[1]!));
  });

  it.each([
    ['closed already', (here: ServersBench) => void here.servers.close()],
    [
      'taken off the list',
      (here: ServersBench) => {
        here.listed = [];
        here.servers.update();
      },
    ],
  ])('is %s and still running holds up the end of all', async (_, letGo) => {
    await using here = serversBench([rogue('stays')], { quiet: 20_000 });
    await here.offered();
    const pid = Number(await here.call('pid'));
    letGo(here);
    let isOver = false;
    const closed = here.servers.close().then(() => (isOver = true));
    await settle();
    expect([isOver, isGone(pid)]).toEqual([false, false]);
    for (let told = 0; told < 3; told += 1) await here.clock.advance(1_000);
    await closed;
    await until(() => isGone(pid));
  });

  it('is let go while it starts leaves no program behind', async () => {
    const pids = path.join(temporaryFolder('pids'), 'pids');
    const here = serversBench([rogue('silent', 'stays', `pid:${pids}`)]);
    const offered = here.offered();
    await until(() => existsSync(pids));
    await here[Symbol.asyncDispose]();
    await here.clock.advance(60_000);
    await offered;
    for (const pid of readFileSync(pids, 'utf8').trim().split('\n')) {
      await until(() => isGone(Number(pid)));
    }
    expect(standing(here).kind).not.toBe('up');
  });

  it('is no program is told of in words', async () => {
    await using here = serversBench([{ ...rogue(), command: 'no-such-program', args: [] }]);
    await here.offered();
    expect(standing(here)).toMatchObject({
      why: expect.stringMatching(/^There is no program “no-such-program”/) as string,
    });
  });

  it('is not at its address, or no tool server, is told of in words', async () => {
    await using far = await everythingAtAddress();
    const nowhere = { ...far.server, url: 'http://127.0.0.1:9/mcp' };
    await using here = serversBench([nowhere]);
    await here.offered();
    expect(standing(here)).toMatchObject({
      why: expect.stringMatching(/^It could not be reached\.$/) as string,
    });
    await using other = serversBench([
      { ...far.server, url: far.server.url.replace('mcp', 'other') },
    ]);
    await other.offered();
    expect(standing(other)).toMatchObject({
      kind: 'down',
      why: expect.stringContaining('404') as string,
    });
  });
});

describe('What a server was told in secret', () => {
  const knowing = (...manners: string[]) => ({ ...rogue(...manners), env: { WORD: '{{word}}' } });
  const word = 'open "sesame"';

  it('stands nowhere, whatever it says of its end; and what it says then is for the user alone', async () => {
    await using here = serversBench([knowing('blurts', 'silent')]);
    here.secrets['word'] = word;
    expect(await here.offered()).toEqual([]);
    expect(standing(here)).toEqual({
      ...{ kind: 'down', why: 'It ended by itself.', words: 'It said: I was told •••.' },
    });
    expect(here.servers.news()).toEqual([
      'The tool server “rogue” is down. It ended by itself. Test it in the settings under Tool servers.',
    ]);
    expect(await here.call('order')).toMatch(/is down\. It ended by itself\. Nothing was done\./);
    expect(await here.call('order')).not.toContain('I was told');
  });

  it.each(['blab', 'sulk'])('stands in no answer of a call that failed: %s', async (tool) => {
    await using here = serversBench([knowing()], { quiet: 20_000 });
    here.secrets['word'] = word;
    await here.offered();
    expect(await here.call(tool)).toMatch(/(^|\n)I know •••\.$/);
  });
});

describe('Nothing is started', () => {
  const cases: [string, (server: McpServer) => McpServer, string][] = [
    ['when it is off', (server) => ({ ...server, enabled: false }), 'off'],
    ['when nobody has said yes to its command', (server) => ({ ...server, command: 'sh' }), 'asks'],
    ['when it is not complete', (server) => ({ ...server, command: ' ' }), 'incomplete'],
  ];
  it.each(cases)('%s', async (_, made, kind) => {
    await using here = serversBench([rogue()]);
    here.listed = here.listed.map(made);
    expect(await here.offered()).toEqual([]);
    expect(standing(here).kind).toBe(kind);
    expect((await here.servers.test('server-rogue')).kind).toBe(kind);
    expect(await here.call('order')).toMatch(/^Nothing was done/);
  });

  it('when it was taken away here, and the settings of another device list it once more', async () => {
    const server = rogue();
    await using here = serversBench([server]);
    here.listed = [];
    here.servers.update();
    here.listed = [server];
    here.servers.update();
    expect(await here.offered()).toEqual([]);
    expect(standing(here).kind).toBe('asks');
  });

  it('when the yes was to what another device has changed meanwhile', async () => {
    const shown = rogue();
    await using here = serversBench([]);
    here.listed = [{ ...shown, command: 'sh' }];
    here.servers.allow(shown);
    expect(standing(here).kind).toBe('asks');
    expect(here.allowed.size).toBe(0);
    here.servers.allow(here.listed[0]!);
    expect(here.allowed.size).toBe(1);
  });

  it('where no programs run', async () => {
    await using here = serversBench([rogue()], { runsPrograms: false });
    expect(await here.offered()).toEqual([]);
    expect(here.servers.news()).toEqual([
      'The tool server “rogue” can’t be used. Programs can’t be started here; this server runs in Obsidian on the desktop.',
    ]);
  });

  it('without the secret it needs', async () => {
    const server = { ...rogue(), env: { TOKEN: '{{rogue-token}}' } };
    await using here = serversBench([server]);
    await here.offered();
    expect(standing(here)).toEqual({
      kind: 'down',
      why: 'There is no secret “rogue-token” on this device.',
      words: '',
    });
  });

  it('and what runs is let go, when the command is another', async () => {
    await using here = serversBench([rogue()], { quiet: 20_000 });
    await here.offered();
    expect(standing(here).kind).toBe('up');
    const pid = Number(await here.call('pid'));
    here.listed = [{ ...rogue('other') }];
    expect(standing(here).kind).toBe('asks');
    here.servers.update();
    await here.clock.advance(2_000);
    await until(() => isGone(pid));
    here.allowed.add(serverIdentity(here.listed[0]!));
    expect(await here.offered()).toContain('order');
  });
});

it('A token goes by https, or to this computer', () => {
  const at = (url: string): McpServer => ({
    ...{ id: 'far', name: 'Far', enabled: true, kind: 'http', secret: 'token' },
    url,
  });
  const here = serversBench([]);
  const kind = (url: string) => here.servers.standing(at(url)).kind;
  expect(kind('https://example.com/mcp')).toBe('asks');
  expect(kind('http://localhost:3000/mcp')).toBe('asks');
  expect(kind('http://example.com/mcp')).toBe('incomplete');
  expect(kind('file:///etc/passwd')).toBe('incomplete');
});
