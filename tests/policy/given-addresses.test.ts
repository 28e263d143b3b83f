import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '#policy/decide';
import { addressFacts } from '#policy/given-addresses';
import type { Turn } from '#model/conversation';
import { reduceAll } from '#model/reducer';
import { Script } from '#workbench/gallery/script';
import { cases } from '#tests/cases';

function turnsOf(script: Script) {
  return reduceAll(script.id, script.events).turns;
}

function isGiven(url: string, turns: readonly Turn[]): boolean {
  return addressFacts(url, turns, 'the-next-call', turns).givenBy !== null;
}

function said(text: string) {
  return turnsOf(new Script('a').ask(text).step());
}

describe('a URL named by the user', () => {
  test.each([
    ['Read https://a.example/page', 'https://a.example/page'],
    ['Read https://a.example/page.', 'https://a.example/page'],
    ['Read (https://a.example/page), please', 'https://a.example/page'],
    ['Is "https://a.example/page?x=1&y=2" true?', 'https://a.example/page?x=1&y=2'],
    ['See <https://a.example/page>', 'https://a.example/page'],
    ['See [it](https://a.example/page)', 'https://a.example/page'],
    ['See **https://a.example/page**', 'https://a.example/page'],
    ['https://en.example/wiki/Oak_(tree)', 'https://en.example/wiki/Oak_(tree)'],
    ['https://a.example/page#part', 'https://a.example/page'],
    ['https://a.example/page', 'https://a.example/page#part'],
    ['HTTPS://A.example', 'https://a.example/'],
    ['What does a.example say?', 'https://a.example'],
    ['What does a.example/page say', 'https://a.example/page'],
    ['https://b.example,https://a.example/page', 'https://a.example/page'],
    ['| https://b.example|https://a.example/page |', 'https://a.example/page'],
    ['https://b.example/?u=https://a.example/page', 'https://b.example/?u=https://a.example/page'],
    ['https://a.example/ü', 'https://a.example/%C3%BC'],
  ])('"%s" names %s', (text, url) => {
    expect(isGiven(url, said(text))).toBe(true);
  });
});

describe('a URL in text that a link filled in', () => {
  const linked = ['Read https://a.example/page'];
  const asked = (text: string) =>
    said(text).map((turn) => ({ ...turn, request: { ...turn.request, linked } }));

  test('it does not count as named by the user, whatever the user added', () => {
    expect(isGiven('https://a.example/page', asked(linked[0]!))).toBe(false);
    expect(isGiven('https://a.example/page', asked(`${linked[0]} and sum it up`))).toBe(false);
    expect(isGiven('https://a.example/page2', asked(`${linked[0]}2`))).toBe(false);
  });

  test('what the user names beside it counts', () => {
    const turns = asked(`${linked[0]} and https://b.example`);
    expect(isGiven('https://b.example', turns)).toBe(true);
  });
});

describe('a URL that nobody named', () => {
  test.each([
    ['Read https://a.example/page', 'https://a.example/'],
    ['Read https://a.example/page', 'https://a.example/page2'],
    ['Read https://a.example/page', 'https://a.example/page?q=secret'],
    ['Read https://a.example/page', 'https://a.example/page/'],
    ['Read https://a.example/page', 'http://a.example/page'],
    ['Read https://a.example/page', 'https://b.a.example/page'],
    ['Read https://a.example/page', 'https://a.example:8443/page'],
    ['Read https://a.example/page', 'https://user@a.example/page'],
    ['Read https://a.example/page?x=1', 'https://a.example/page'],
    ['What does a.example say?', 'http://a.example'],
    ['What does a.example say?', 'https://a.example/secret'],
    ['Write to nora@a.example', 'https://nora@a.example'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['file:///etc/passwd', 'file:///etc/passwd'],
    ['Sum up notes.md and Diary.zip', 'https://notes.md/'],
    ['Sum up notes.md and Diary.zip.', 'https://diary.zip/'],
    [`https://a.example/${'.'.repeat(50_000)}x`, 'https://a.example/'],
    [`https://a.example/${'_'.repeat(1_500)}`, 'https://a.example/'],
    ['Nothing', 'no url'],
    ['', ''],
  ])('"%s" does not name %s', (text, url) => {
    expect(isGiven(url, said(text))).toBe(false);
  });
});

test('a URL in the name of an MCP client is not given', () => {
  const [turn] = said('https://a.example/page called read_file.');
  const called = { ...turn!, request: { ...turn!.request, source: 'mcp' as const } };
  expect(isGiven('https://a.example/page', [turn!])).toBe(true);
  expect(isGiven('https://a.example/page', [called])).toBe(false);
});

describe('a URL from a result', () => {
  const sources = [{ url: 'https://found.example/1', title: 'One' }];

  test('a URL found by a search is given', () => {
    const script = new Script('a').ask('Search').step();
    script.call('web_search', {}, 'Text', { details: { kind: 'sources', sources } });
    const turns = turnsOf(script);
    expect(isGiven('https://found.example/1', turns)).toBe(true);
    expect(isGiven('https://found.example/1?x=secret', turns)).toBe(false);
  });

  test.each(['read_webpage', 'read_file', 'notes_fetch'])(
    'a URL found by %s is not given',
    (tool) => {
      const script = new Script('a').ask('Read').step();
      script.call(tool, {}, 'See https://found.example/1', {
        details: { kind: 'sources', sources },
      });
      expect(isGiven('https://found.example/1', turnsOf(script))).toBe(false);
    },
  );
});

describe('the answer to a question', () => {
  const answered = (answer: string) => {
    const script = new Script('a').ask('Look').step();
    const text = 'Which?';
    const question = script.hold('ask_user', { question: text }, {
      ...{ kind: 'question', text, choices: ['https://a.example/secret'], allowFreeText: true },
    } as const);
    script.wait(1).resolve(question, { kind: 'answer', text: answer, via: 'click' });
    return turnsOf(script);
  };

  test("a URL in the user's own words is given, and one in a choice is not", () => {
    const own = answered('Take https://a.example/page');
    expect(isGiven('https://a.example/page', own)).toBe(true);
    const chosen = answered('https://a.example/secret');
    expect(isGiven('https://a.example/secret', chosen)).toBe(false);
  });
});

describe('pages of one site that a search has found', () => {
  /** A search that found these pages, and then a read of each, the last of which is judged. */
  function asks(pages: readonly string[], request = 'Search'): boolean {
    const script = new Script('a').ask(request).step();
    const sources = pages.map((url) => ({ url, title: 'Page' }));
    script.call('web_search', {}, 'Text', { details: { kind: 'sources', sources } });
    for (const url of pages.slice(0, -1)) {
      const details = { kind: 'sources', sources: [{ url, title: 'Page' }] } as const;
      script.call('read_webpage', { url }, 'Text', { details });
    }
    const turns = turnsOf(script);
    const facts = addressFacts(pages.at(-1)!, turns, 'the-next-call', turns);
    return decide({ about: 'address', ...facts }).answer === 'ask';
  }

  test('the third page of a site is asked about, on whatever host of it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('evil.example', 'evil.co.uk', 'abc.io', 't.co', '203.0.113.7'),
        fc.array(fc.constantFrom('', 'www.', 'a.', 'b.c.'), { minLength: 1, maxLength: 9 }),
        fc.constantFrom('http:', 'https:'),
        (site, hosts, scheme) => {
          const isNumber = /^[\d.]+$/.test(site);
          const pages = hosts.map((host, at) => `${scheme}//${isNumber ? '' : host}${site}/${at}`);
          expect(asks(pages)).toBe(pages.length > 2);
        },
      ),
      cases,
    );
  });

  test('reading the same found page again counts as well, since the order of reads can tell something', () => {
    expect(asks(['https://a.example/1', 'https://a.example/1', 'https://a.example/1'])).toBe(true);
  });

  test('one page of each of many sites is read without asking', () => {
    const pages = Array.from({ length: 60 }, (_, at) => `https://site-${at}.example/page`);
    expect(asks(pages)).toBe(false);
    expect(asks(['https://one.co.uk/', 'https://two.co.uk/', 'https://three.co.uk/'])).toBe(false);
  });

  test('pages that the user named do not count and are always read', () => {
    const pages = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3'];
    expect(asks(pages, `Compare ${pages.join(' ')}`)).toBe(false);
    expect(asks([...pages.slice(0, 2), 'https://a.example/4'], `Read ${pages[0]}`)).toBe(false);
  });

  test('a page that the user declined does not count', () => {
    const script = new Script('a').ask('Search').step();
    const url = 'https://a.example/1';
    for (let at = 0; at < 3; at += 1) {
      script.call('read_webpage', { url }, 'No', { failed: true, details: { kind: 'declined' } });
    }
    const turns = turnsOf(script);
    expect(addressFacts(url, turns, 'the-next-call', turns).pagesOfSite).toBe(0);
  });
});
