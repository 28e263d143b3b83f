/** What goes wrong in the soak test: the process, SmartHole, the disk, and other programs. */
import { AGAIN } from '#messages/voice-messages';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawClient } from '#tests/builders/smarthole-client';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import type { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import {
  linesOf,
  namesIn,
  PLUGIN,
  readFileIn,
  until,
  type Headless,
  type StartOptions,
} from './driver';
import { listOf } from './soak-model';
import type { SoakUser } from './soak-user';

/** From the frame on the wire to the record on the disk. */
const RECORD_MS = 1_000;
/** Minimum time between a change of a note and the next one by another program. */
const QUIET_MS = 50;

/** A line that another program has added to a note. */
export interface ForeignLine {
  readonly path: string;
  readonly line: string;
  readonly at: number;
}

export interface SoakWorld {
  readonly vault: string;
  readonly smartHole: FakeSmartHole;
  readonly user: SoakUser;
  /** Whether there is time for faults that take long. */
  readonly isLong: boolean;
  random(): number;
  start(options: Partial<StartOptions>): Promise<Headless>;
}

export class SoakFaults {
  readonly #world: SoakWorld;
  readonly #disk = path.join(temporaryFolder('disk-faults'), 'faults');
  readonly #ongoing = new Set<Promise<void>>();
  #twin: RawClient | null = null;
  #isFrozen = false;
  #isLate = false;
  readonly foreign: ForeignLine[] = [];
  /** How often the connection, SmartHole or the process broke: each time, one frame may be lost. */
  breaks = 0;
  /**
   * Notifications that SmartHole had received when something broke, and that Parley had not recorded
   * as shown. It cannot know, so it may show each of them once more.
   */
  readonly uncertain = new Set<string>();

  constructor(world: SoakWorld) {
    this.#world = world;
  }

  /** How the process is started: with notes that are written in pieces, on a disk that may fail. */
  get startOptions(): Partial<StartOptions> {
    return {
      pieces: { bytes: 400, pauseMs: 1 },
      preload: {
        file: path.join(import.meta.dirname, 'disk-faults.mjs'),
        env: { SOAK_DISK_FAULTS: this.#disk, SOAK_VAULT: this.#world.vault },
      },
    };
  }

  /** No process is killed any more. */
  sparesProcess(): void {
    this.#isLate = true;
  }

  /** Lets each fault happen with its probability. */
  async happen(): Promise<void> {
    const { user, random } = this.#world;
    const faults: [number, () => unknown][] = [
      [0.04, () => this.#cut()],
      [0.03, () => this.#restartSmartHole()],
      [0.03, () => this.#freeze()],
      // Parley waits a minute before it tries the same name again.
      [this.#world.isLong ? 0.01 : 0, () => this.#takeName()],
      [0.08, () => this.#notifyForOther()],
      [0.06, () => this.#deliverAgain()],
      [0.04, () => this.#failDisk()],
      [0.25, () => this.#editByOther()],
      [this.#isLate ? 0 : 0.05, () => this.#kill()],
      [this.#isLate ? 0 : 0.015, () => this.#handOver()],
      [0.03, () => user.stops()],
      [0.05, () => user.undoes()],
      [0.03, () => this.#pause()],
      [0.015, () => user.says('stop') && user.count('“stop” spoken')],
      [0.02, () => user.says('undo that') && user.count('“undo that” spoken')],
    ];
    for (const [probability, happens] of faults) if (random() < probability) await happens();
  }

  /** Whether Parley is registered with SmartHole. */
  get isRegistered(): boolean {
    return this.#world.smartHole.clients.length > 0 && this.#twin === null;
  }

  async registered(): Promise<void> {
    await until(() => this.isRegistered, 'a registration');
  }

  /** Ends all faults. */
  async end(): Promise<void> {
    await Promise.all(this.#ongoing);
    await this.registered();
  }

  /** How many disk operations failed. */
  get diskFaults(): number {
    return existsSync(`${this.#disk}.log`) ? linesIn(`${this.#disk}.log`) : 0;
  }

  #cut(): void {
    this.#count('connection cut');
    this.#world.smartHole.cut();
    this.#noteBreak();
  }

  async #restartSmartHole(): Promise<void> {
    const { smartHole, random } = this.#world;
    // Parley cannot notice a restart while the connection is cut.
    if (!this.isRegistered) return;
    this.#count('SmartHole restarted');
    this.#thaw();
    this.#noteBreak();
    await smartHole.close();
    this.#noteBreak();
    // Sometimes nothing listens when Parley tries again.
    await sleep(random() < 0.5 ? 0 : 3_000 * random());
    await smartHole.open();
    // Parley cannot notice a restart if it is killed before.
    await this.registered();
  }

  #freeze(): void {
    const { smartHole, random } = this.#world;
    if (this.#isFrozen) return;
    this.#count('SmartHole hung');
    this.#isFrozen = true;
    smartHole.freeze(true);
    this.#later(1_000 + 5_000 * random(), () => this.#thaw());
  }

  #thaw(): void {
    this.#isFrozen = false;
    this.#world.smartHole.freeze(false);
  }

  /** A stale twin has the name when Parley registers again. */
  async #takeName(): Promise<void> {
    const { smartHole, user, random } = this.#world;
    if (!this.isRegistered || this.#isFrozen) return;
    // SmartHole gives a message that was not acknowledged in time to the twin.
    await until(
      () => user.sent.every(({ how, accepted }) => how === 'typed' || accepted !== null),
      'the acks',
      40_000,
    ).catch(() => undefined);
    const { name } = smartHole.clients[0]!;
    smartHole.cut();
    this.#noteBreak();
    await until(() => smartHole.clients.length === 0, 'the end of the connection');
    const twin = await RawClient.connect(smartHole);
    const answer = await twin.register(name);
    if (answer['success'] !== true) return twin.socket.terminate();
    this.#count('registration refused');
    this.#twin = twin;
    this.#later(1_000 + 3_000 * random(), () => {
      twin.socket.terminate();
      void until(
        () => smartHole.clients.every(({ clientId }) => clientId !== answer['clientId']),
        'the end of the twin',
      ).then(() => (this.#twin = null));
    });
  }

  #notifyForOther(): void {
    const { smartHole, random } = this.#world;
    this.#count('notifications of another program');
    for (let left = Math.ceil(4 * random()); left > 0; left -= 1)
      smartHole.notifyForOther(`Backup ${random()}`);
  }

  #deliverAgain(): void {
    const { smartHole, random } = this.#world;
    const last = smartHole.deliveries.filter(({ state }) => /waiting|acked/.test(state));
    const again = last.at(-1 - Math.floor(random() * 5));
    if (again && smartHole.deliverAgain(again.id)) this.#count('second delivery');
  }

  #failDisk(): void {
    const { random } = this.#world;
    if (existsSync(this.#disk)) return;
    this.#count('disk refused');
    writeFileSync(this.#disk, '');
    this.#later(200 + 1_500 * random(), () => rmSync(this.#disk, { force: true }));
  }

  /** Adds a line to a list: at its end, or below its heading in a new file, as sync programs do. */
  #editByOther(): void {
    const { vault, random } = this.#world;
    const name = listOf(Math.floor(random() * 5));
    const file = path.join(vault, name);
    const line = `- mine ${this.foreign.length}`;
    const { mtimeMs, size } = statSync(file);
    if (Date.now() - mtimeMs < QUIET_MS) return;
    if (random() < 0.5) appendFileSync(file, `${line}\n`);
    else {
      const text = readFileSync(file, 'utf8').replace('# List\n', `# List\n\n${line}\n`);
      writeFileSync(`${file}.sync`, text);
      const now = statSync(file);
      if (now.mtimeMs !== mtimeMs || now.size !== size) return rmSync(`${file}.sync`);
      renameSync(`${file}.sync`, file);
    }
    this.#count('edit by another program');
    this.foreign.push({ path: name, line, at: Date.now() });
  }

  async #kill(): Promise<void> {
    const { user, smartHole, random } = this.#world;
    this.#count('process killed');
    const { headless } = user;
    await sleep(30 * random());
    await headless.kill();
    await until(
      () => smartHole.clients.length === 0 || this.#twin !== null,
      'the end of the connection',
    );
    this.#noteBreak();
    user.meets(await this.#world.start(this.startOptions));
  }

  /** A second window follows, and takes over when the first is killed. */
  async #handOver(): Promise<void> {
    const { user, random } = this.#world;
    this.#count('second window took over');
    const first = user.headless;
    user.meets(await this.#world.start(this.startOptions));
    await user.types(`Please say hello, window ${user.lives}.`, user.chat());
    await sleep(300 * random());
    await first.kill();
    this.#noteBreak();
  }

  async #pause(): Promise<void> {
    const { user, random } = this.#world;
    const reply = await user.asks('pause');
    if (!reply?.ok) return;
    user.count('paused');
    this.#later(500 + 2_000 * random(), () => void user.asks('resume'));
  }

  #noteBreak(): void {
    const { user, smartHole, vault } = this.#world;
    this.breaks += 1;
    const shown = user.heard();
    for (const title of waitingTitles(vault)) {
      const plain = plainTitle(title);
      if (shown.some(({ text }) => plainTitle(text.split('\n')[0]!) === plain))
        this.uncertain.add(plain);
    }
    for (const { title, at } of smartHole.shown)
      if (Date.now() - at < RECORD_MS) this.uncertain.add(plainTitle(title));
  }

  #count(name: string): void {
    this.#world.user.count(`fault: ${name}`);
  }

  #later(milliseconds: number, happens: () => void): void {
    const ongoing: Promise<void> = sleep(milliseconds).then(() => {
      happens();
      this.#ongoing.delete(ongoing);
    });
    this.#ongoing.add(ongoing);
  }
}

const linesIn = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;

/** The title without the words that tell it from others. */
export const plainTitle = (title: string) =>
  title.replace(new RegExp(`^(?:${AGAIN.join('|')}): `), '');

/** Titles of notifications that the outbox of a vault holds as not shown. */
export function waitingTitles(vault: string): string[] {
  return namesIn(vault, PLUGIN)
    .filter((name) => /^smarthole-.*\.jsonl$/.test(name))
    .flatMap((name) =>
      linesOf<{ reply?: { notification: { title: string } } }>(
        readFileIn(vault, `${PLUGIN}/${name}`) ?? '',
      ),
    )
    .flatMap(({ reply }) => (reply ? [reply.notification.title] : []));
}

/** Resident memory in megabytes and open files of a process; null where the system does not say. */
export function footprint(pid: number | undefined): { memory: number; files: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const memory = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
    return { memory, files: namesIn(`/proc/${pid}`, 'fd').length };
  } catch {
    return null;
  }
}
