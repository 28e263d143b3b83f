/**
 * Obsidian loads one file, and not all of it is needed to start. What is imported when it is used is built as files of
 * its own; here they become functions within the one file, called when they are first asked for.
 *
 * @returns {import('vite').Plugin}
 */
export function oneFile() {
  return {
    name: 'one-file',
    // The styles of the parts are gathered before.
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
      const main = chunks.find((each) => each.isEntry);
      const parts = chunks.filter((each) => each !== main);
      if (!main || parts.length === 0) return;
      const inside = parts.map(({ fileName, code }) => {
        delete bundle[fileName];
        return `${JSON.stringify(fileName)}(exports){${asked(code, parts)}\n}`;
      });
      main.code = `${LOADER.replace('PARTS', () => inside.join())}${asked(main.code, parts)}`;
    },
  };
}

/** `$part` gives the exports of a part; `$give` says what a part exports. */
const LOADER =
  'const $parts={PARTS},$made={},' +
  '$part=name=>{if(!$made[name])$parts[name]($made[name]={});return $made[name]},' +
  '$give=(to,from)=>{for(const name in from)Object.defineProperty(to,name,{enumerable:true,get:from[name]})};';

/** One of the statements by which a part says what it exports, as the bundler writes them. */
const GIVEN =
  /Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:!0,get:function\(\)\{return ([\w$]+)\}\}\)/g;
const GIVEN_ALL = new RegExp(`${GIVEN.source}(?:,${GIVEN.source})*`, 'g');

/**
 * @param {string} code
 * @param {{ fileName: string }[]} parts
 */
function asked(code, parts) {
  const given = code.replace(GIVEN_ALL, (all) => {
    const each = [...all.matchAll(GIVEN)].map(([, name, value]) => `${name}:()=>${value}`);
    return `$give(exports,{${each}})`;
  });
  return parts.reduce(
    (text, { fileName }) => text.replaceAll(`require("./${fileName}")`, `$part("${fileName}")`),
    given,
  );
}
