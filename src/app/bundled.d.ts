/** A program with all its imports as the text of one script (`.ci/bundled-program.mjs`). */
declare module '*?bundled' {
  const program: string;
  export default program;
}
