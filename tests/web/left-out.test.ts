/** What is left out of the package that finds the main text of a page changes nothing of what it finds. */
import { JSDOM } from 'jsdom';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { leftOut } from '../../workbench/build/left-out.mjs';

interface Found {
  title?: string | null;
  publishedTime?: string | null;
  content?: { innerHTML: string } | null;
}
type Reader = new (page: Document, options: object) => { parse(): Found | null };

const require = createRequire(import.meta.url);
const file = require.resolve('@mozilla/readability/Readability.js');
const Whole = require(file) as Reader;
const Shortened = shortened();

function shortened(): Reader {
  const { transform } = leftOut();
  const source = readFileSync(file, 'utf8');
  const change = transform as unknown as (code: string, id: string) => { code: string };
  const { code } = change.call(undefined, source, file);
  expect(code.length).toBeLessThan(source.length - 5_000);
  const module = { exports: {} };
  (runInThisContext(`(module) => {${code}\n}`) as (module: object) => void)(module);
  return module.exports as Reader;
}

const SENTENCE =
  'The tomatoes want sun, water in the morning, and a stake, which is set before them. ';
const text = (times: number) => `<p>${SENTENCE.repeat(times)}</p>`;
const AROUND =
  '<nav class="menu"><a href="/a">Home</a><a href="/b">Shop</a></nav>' +
  '<div class="sidebar"><ul><li><a href="/1">One</a></li><li><a href="/2">Two</a></li></ul></div>';
const AFTER =
  '<div class="comment">First!</div><footer>Imprint</footer><div class="share"><button>Share</button></div>';

const PAGES: Record<string, string> = {
  'an article': `<title>Growing tomatoes | The garden</title><meta property="article:published_time" content="2024-05-01">
    ${AROUND}<article><h1>Growing tomatoes</h1><div class="byline">By Ann</div>${text(4)}<h2>Water</h2>${text(5)}
    <blockquote>${text(2)}</blockquote><ul><li>Sun</li><li>Water</li></ul></article>${AFTER}`,
  'one that says what it is': `<title>x</title><script type="application/ld+json">{"@context":"https://schema.org",
    "@type":"NewsArticle","headline":"Tomatoes &amp; basil","datePublished":"2024-06-02","author":{"name":"Ann"}}</script>
    <div id="content">${text(3)}${text(3)}${text(3)}</div>${AFTER}`,
  'one of lines and layers': `<title>Notes: on the growing of many tomatoes</title><div><div><section><div>${SENTENCE.repeat(6)}
    <br><br>${SENTENCE.repeat(6)}<br> <br>${SENTENCE}</div></section></div></div>${AROUND}`,
  tables: `<title>Tables of the garden, all of them</title><div class="post">${text(8)}
    <table><thead><tr><th>a</th></tr></thead><tr><td>1</td><td>2</td></tr></table>
    <table><tr><td>${SENTENCE.repeat(3)}</td></tr></table><table role="presentation"><tr><td>x</td><td>y</td></tr></table></div>`,
  'links and forms': `<title>Links to all there is of the garden</title><main>${text(8)}<a href="#there">there</a>
    <a href="javascript:go()">go</a> <a href="javascript:go()"><b>go</b> on</a> <a href="/x?y">x</a>
    <form><input name="q"><select><option>1</select></form><div class="ad-break">Ad</div><div>Werbung</div>
    <div><p>a, b</p><a href="/1">${'much '.repeat(9)}</a><a href="/2">linked</a><input><input></div></main>`,
  'what is hidden': `<title>Hidden things of a garden, a list of</title><div class="entry">${text(9)}
    <p style="display:none">no</p><p hidden>no</p><div aria-hidden="true">no</div><noscript><p>no</p></noscript>
    <div role="dialog" aria-modal="true">no</div></div><div role="complementary">${text(2)}</div>`,
  'hardly anything': '<title>Short</title><p>Nothing but this.</p>',
  nothing: '<title></title>',
  'many parts that are alike': `<title>Parts of a garden that are all alike</title>${`<div class="part"><div>${text(4)}</div></div>`.repeat(5)}`,
};

function found(Reader: Reader, html: string): unknown {
  const { document } = new JSDOM(`<base href="https://garden.example/tomatoes/">${html}`).window;
  const serializer = (node: unknown) => node;
  const { title, publishedTime, content } = new Reader(document, { serializer }).parse() ?? {};
  return [title, publishedTime, content?.innerHTML];
}

describe('The shortened reader', () => {
  it.each(Object.entries(PAGES))('finds the same in %s', (_name, html) => {
    expect(found(Shortened, html)).toEqual(found(Whole, html));
  });

  it('finds something', () => {
    const all = Object.values(PAGES).map((html) => String(found(Shortened, html)));
    expect(all.filter((each) => each.includes('tomatoes want sun'))).toHaveLength(7);
  });
});
