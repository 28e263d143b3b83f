/** Finds properties that banners and covers are loaded from. */
import { type YamlScalar, yamlScalars } from '#model/markdown/yaml-scalars';

/** Longer YAML is not read. */
export const MAX_YAML_CHARS = 40_000;

const PICTURE_FILE = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico)\b/i;

const PICTURE_NAME =
  /banner|(?<!dis|re)cover|image|img|thumb|(?<!lex)icon|poster|logo|avatar|photo|picture|wallpaper|backdrop|background/i;

/** Browsers load all of these, whatever the number and direction of the slashes. */
const REMOTE = /(?:^|[\s"'(<])(?:https?|ftp|file|data|app|javascript):|\/\/|\\\\/i;

/** Whether a property of this name is meant for a picture. */
export function isPictureName(name: string): boolean {
  return PICTURE_NAME.test(name);
}

export interface PropertyReading {
  /** Properties that load a picture from elsewhere, as written. */
  readonly pictures: readonly YamlScalar[];
  /** Values that read differently than they are written. */
  readonly decoded: readonly string[];
  /** Values with code, which Dataview draws as Markdown. */
  readonly code: readonly string[];
  readonly names: readonly string[];
  /** False if any value may be anything. */
  readonly isCertain: boolean;
}

export function readProperties(front: string): PropertyReading {
  if (front.length > MAX_YAML_CHARS) {
    return { pictures: [], decoded: [], code: [], names: [], isCertain: !REMOTE.test(front) };
  }
  const { scalars, isCertain } = yamlScalars(front);
  const remote = scalars.filter(({ value }) => REMOTE.test(value));
  return {
    pictures: remote.filter(
      ({ keys, value }) =>
        keys.some((key) => PICTURE_NAME.test(key)) || (PICTURE_FILE.test(value) && !isPage(value)),
    ),
    decoded: scalars.flatMap(({ value, source }) =>
      /\\|''/.test(source) && !source.includes(value) ? [value] : [],
    ),
    code: scalars.flatMap(({ value }) => (/`|~~~/.test(value) ? [value] : [])),
    names: scalars.map(({ keys: [name = ''] }) => name),
    isCertain: isCertain || remote.length === 0,
  };
}

/** Whether an address of a web page only mentions a picture in its query or fragment. */
function isPage(value: string): boolean {
  return !PICTURE_FILE.test(value.split(/[?#]/, 1)[0] ?? '');
}
