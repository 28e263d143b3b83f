/**
 * Writes a vault for benchmarks. The same options always give the same files: notes of several
 * languages with realistic sizes, front matter, headings, tasks, tags, code and links.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface GeneratedVault {
  readonly notes: number;
  readonly megabytes: number;
}

/** Fills the folder; it must be empty or not exist. */
export function generateVault(folder: string, { notes, megabytes }: GeneratedVault): void {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  const random = randomNumbers(7);
  const languages = LANGUAGES.map((language) => new Language(language, random));
  const names = Array.from({ length: notes }, (_, at) => noteName(languages, at, random));
  const mean = (megabytes * 1e6) / notes;
  const made = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (!made.has(path.dirname(name))) {
      mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
      made.add(path.dirname(name));
    }
    const language = pick(languages, at, random);
    const text = noteText(language, names, mean * sizeFactor(random), random);
    // A few notes come from Windows.
    writeFileSync(path.join(folder, name), random() < 0.02 ? text.replaceAll('\n', '\r\n') : text);
  }
}

type Random = () => number;

/** A linear congruential generator, from 0 up to 1. */
function randomNumbers(seed: number): Random {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

interface LanguageOptions {
  /** Out of 100 notes. */
  readonly share: number;
  /** The most frequent words, in order. */
  readonly common: string;
  readonly syllables: string;
  readonly space: string;
  readonly end: string;
}

const LANGUAGES: readonly LanguageOptions[] = [
  {
    share: 68,
    common:
      'the of and to in a is that for it was on with as be at by this have from or had not are but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know',
    syllables:
      'an ber cal den er fo gar har in jo ken lin mor nes ol par que ren sto ter un ver wil ton ing ed ly tion al ment pro con re de',
    space: ' ',
    end: '. ',
  },
  {
    share: 10,
    common:
      'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat daß sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man',
    syllables:
      'ge ver auf ein schaft ung keit lich hei gar ten stra ße mü grün höh spiel wal ber zeug',
    space: ' ',
    end: '. ',
  },
  {
    share: 8,
    common:
      'de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont la mais comme ou si leur y dont très même être où après été',
    syllables: 'ré con dé par ment tion ière eau jar din fleu ri cha teau mé moi sou venir pré',
    space: ' ',
    end: '. ',
  },
  {
    share: 6,
    common:
      'и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой что весь год от так о для ты же все тот мочь вы человек такой его сказать',
    syllables: 'по при раз вы до за ко мо на пе ра ста те ро ви че ние ость ка ло',
    space: ' ',
    end: '. ',
  },
  {
    share: 8,
    common:
      '的 一 是 不 了 在 人 有 我 他 这 个 们 中 来 上 大 为 和 国 地 到 以 说 时 要 就 出 会 可',
    syllables:
      '学 生 工 作 年 动 同 长 方 面 发 成 部 法 现 实 加 量 都 两 体 制 机 当 使 点 从 业 本 去 把 性 好 应 开 它 合 还 因 由',
    space: '',
    end: '。',
  },
];

const VOCABULARY_WORDS = 20_000;

class Language {
  readonly share: number;
  readonly space: string;
  readonly end: string;
  readonly #words: readonly string[];
  readonly #random: Random;

  constructor({ share, common, syllables, space, end }: LanguageOptions, random: Random) {
    this.share = share;
    this.space = space;
    this.end = end;
    this.#random = random;
    const parts = syllables.split(' ');
    const words = common.split(' ');
    while (words.length < VOCABULARY_WORDS) {
      const length = 1 + Math.floor(random() * 4);
      words.push(Array.from({ length }, () => any(parts, random)).join(''));
    }
    this.#words = words;
  }

  /** Word frequencies follow Zipf's law: the hundredth word is a hundredth as frequent as the first. */
  word(): string {
    return this.#words[Math.floor(VOCABULARY_WORDS ** this.#random()) - 1] ?? this.#words[0]!;
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(this.space);
  }

  sentence(): string {
    const words = this.words(6 + Math.floor(this.#random() * 14));
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}${this.end}`;
  }
}

function any<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random() * items.length)]!;
}

function pick(languages: readonly Language[], at: number, random: Random): Language {
  let left = random() * 100 + at * 0;
  for (const language of languages) if ((left -= language.share) < 0) return language;
  return languages[0]!;
}

function noteName(languages: readonly Language[], at: number, random: Random): string {
  const language = pick(languages, at, random);
  const folder = `Area ${at % 23}/Topic ${Math.floor(at / 23) % 61}`;
  if (random() < 0.1) return `Journal/${2000 + (at % 27)}/${dayOf(at)} ${at}.md`;
  return `${folder}/${language.words(2)} ${at}.md`;
}

function dayOf(at: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${2000 + (at % 27)}-${two(1 + (at % 12))}-${two(1 + (at % 28))}`;
}

/** Log-normal with mean 1: most notes are small, and a few are long. */
function sizeFactor(random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random());
  return Math.exp(normal * 1.1 - 0.605);
}

function noteText(
  language: Language,
  names: readonly string[],
  bytes: number,
  random: Random,
): string {
  const parts: string[] = [];
  let length = 0;
  const add = (part: string) => {
    parts.push(part);
    length += Buffer.byteLength(part);
  };
  if (random() < 0.5) {
    add(
      `---\ntags: [${language.word()}, area/${language.word()}]\ncreated: ${dayOf(names.length)}\n---\n`,
    );
  }
  add(`# ${language.words(4)}\n\n`);
  while (length < bytes) {
    const kind = random();
    if (kind < 0.08) add(`\n## ${language.words(3)}\n\n`);
    else if (kind < 0.16) add(`- [${random() < 0.5 ? ' ' : 'x'}] ${language.words(5)}\n`);
    else if (kind < 0.24) add(`- ${language.words(8)} #${language.word()}\n`);
    else if (kind < 0.3)
      add(`See [[${path.basename(any(names, random), '.md')}]]${language.end}\n`);
    else if (kind < 0.31)
      add(`\`\`\`js\nconst ${language.word()} = ${Math.floor(random() * 1e6)};\n\`\`\`\n`);
    else if (kind < 0.33) add(`> “${language.words(10)}” — ${language.word()}\n`);
    else if (kind < 0.34)
      add(`Due ${dayOf(Math.floor(random() * 1e4))}, needle${Math.floor(random() * 4_000)}.\n`);
    else {
      const sentences = 2 + Math.floor(random() * 5);
      add(`${Array.from({ length: sentences }, () => language.sentence()).join('')}\n\n`);
    }
  }
  return parts.join('');
}
