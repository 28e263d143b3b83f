/** Prints a plain value as YAML on one line, quoted where it would be read as something else. */

/** Where a value is written: within brackets, more characters have a meaning. */
type YamlPlace = 'block' | 'flow';

export function yamlText(value: unknown, place: YamlPlace): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  return isPlainYaml(value, place) ? value : yamlQuoted(value);
}

/** In double quotes, so that a value of any characters reads back. */
function yamlQuoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Whether these characters, without quotes, are read as exactly this text. */
function isPlainYaml(value: string, place: YamlPlace): boolean {
  if (
    !/^[\p{L}\p{N}\p{Extended_Pictographic}_/(.+$][^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFEFF\uFFFE\uFFFF]*$/u.test(
      value,
    )
  )
    return false;
  if (/:(?:\s|$)|\s#|\s$/.test(value) || /^(?:---|\.\.\.)/.test(value)) return false;
  if (place === 'flow' && /[,[\]{}:]/.test(value)) return false;
  return !READS_AS_OTHER.test(value);
}

/** Numbers, booleans and nothing, as YAML 1.1 or 1.2 reads them; dates stay text in Obsidian. */
const READS_AS_OTHER =
  /^(?:null|true|false|yes|no|on|off|y|n|~|[-+]?\.(?:inf|nan)|[-+]?(?:0[bxo][\da-f_]+|\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[-+]?\d+)?))$/i;
