/** Finds properties that banners and covers are loaded from. */
import { MAX_YAML_CHARS, type YamlScalar, yamlScalars } from '#text/yaml-scalars';
import { areRiskyTasks } from './languages';
import { isPictureName } from './picture-names';

const PICTURE_FILE = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico)\b/i;

/** Browsers load all of these, whatever the number and direction of the slashes. */
const REMOTE = /(?:^|[\s"'(<])(?:https?|ftp|file|data|app|javascript):|\/\/|\\\\/i;

export interface PropertyReading {
  /** Properties that load a picture from elsewhere, as written. */
  readonly pictures: readonly YamlScalar[];
  /** Values that read differently than they are written. */
  readonly decoded: readonly string[];
  /** Values with code, which Dataview draws as Markdown. */
  readonly code: readonly string[];
  readonly names: readonly string[];
  /** Instructions that the Tasks plugin adds to all queries of the note, if they run code. */
  readonly instructions: readonly YamlScalar[];
  /** False if any value may be anything. */
  readonly isCertain: boolean;
}

export function readProperties(front: string): PropertyReading {
  if (front.length > MAX_YAML_CHARS) {
    return {
      pictures: [],
      decoded: [],
      code: [],
      names: [],
      instructions: [],
      isCertain: !REMOTE.test(front) && !/tq_|excalidraw|\\[xu]/i.test(front),
    };
  }
  const { scalars, isCertain } = yamlScalars(front);
  const remote = scalars.filter(({ value }) => REMOTE.test(value));
  const risky = scalars.filter(({ value }) => areRiskyTasks(value));
  return {
    pictures: remote.filter(
      ({ keys, value }) =>
        keys.some((key) => isPictureName(key)) || (PICTURE_FILE.test(value) && !isPage(value)),
    ),
    decoded: scalars.flatMap(({ value, source }) =>
      /\\|''/.test(source) && !source.includes(value) ? [value] : [],
    ),
    code: scalars.flatMap(({ value }) => (/`|~~~/.test(value) ? [value] : [])),
    names: scalars.map(({ keys: [name = ''] }) => name),
    instructions: risky.filter(({ keys }) => keys.some((key) => /^tq_/i.test(key))),
    isCertain: isCertain || (remote.length === 0 && (risky.length === 0 || !/tq_|\\/i.test(front))),
  };
}

/** Whether an address of a web page only mentions a picture in its query or fragment. */
function isPage(value: string): boolean {
  return !PICTURE_FILE.test(value.split(/[?#]/, 1)[0] ?? '');
}
