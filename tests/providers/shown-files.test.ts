/** Images and PDFs in a conversation, over real HTTP. */
import { describe, expect, it } from 'vitest';
import type { ViewableFile } from '#model/attachment';
import type { HistoryMessage, ReadViewable } from '#ports/model-provider';
import { ask, servers } from '#tests/providers/provider';
import { statusError } from '#workbench/model/faults';
import { reply } from '#workbench/model/replies';
import { withoutMarks, type ModelRequest } from '#workbench/model/wire';

const serve = servers();

function picture(path: string, size = 3): ViewableFile {
  return { path, type: 'image/png', size, modified: 1, tokens: 1_600 };
}

function asking(...shown: ViewableFile[]): HistoryMessage[] {
  return [{ role: 'user', texts: ['What is this?'], shown }];
}

/** The bytes of each file are its own path, repeated. */
const lookAt: ReadViewable = async ({ path, size }) => {
  const letters = new TextEncoder().encode(path);
  const byte = (at: number) => letters[at % letters.length] ?? 0;
  return { bytes: async () => Uint8Array.from({ length: size }, (_, at) => byte(at)).buffer };
};

function shownIn({ messages }: ModelRequest): string[] {
  return messages.flatMap(({ content }) =>
    (typeof content === 'string' ? [] : content).map((block) => {
      const { data } = (block.source ?? {}) as { data?: string };
      return data === undefined ? String(block.text) : atob(data).slice(0, 5);
    }),
  );
}

const NOT_SHOWN = (path: string) =>
  `(${path} can't be shown here: it has changed or gone, or does not fit.)`;

describe('Files in requests', () => {
  it("files come before the user's text, and after the text of a tool result", async () => {
    const served = await serve(reply('A cat.'), { lookAt });
    const pdf: ViewableFile = { ...picture('b.pdf', 700_001), type: 'application/pdf' };
    const call = { type: 'call', wireId: 'toolu_1', name: 'read_file', input: {} } as const;
    const history: HistoryMessage[] = [
      ...asking(picture('a.png')),
      { role: 'model', parts: [call] },
      {
        role: 'results',
        results: [
          {
            wireId: 'toolu_1',
            result: { text: 'b.pdf is a PDF.', failed: false, shown: [pdf] },
            notes: ['Step 2 of 10.'],
          },
        ],
      },
    ];
    await ask(served, { history });
    const { body } = served.server.requests[0]!;
    expect(withoutMarks(body.messages[0]?.content)).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: btoa('a.p') } },
      { type: 'text', text: 'What is this?' },
    ]);
    const [result] = body.messages[2]?.content as unknown as { content: object[] }[];
    expect(result?.content.slice(0, 2)).toEqual([
      { type: 'text', text: 'b.pdf is a PDF.' },
      { type: 'text', text: 'Step 2 of 10.' },
    ]);
    const { source } = result?.content[2] as { source: { data: string } };
    expect(atob(source.data)).toBe('b.pdf'.repeat(140_001).slice(0, 700_001));
    expect(served.server.violations).toEqual([]);
  });

  it('a request replaces a file that cannot be shown with a text', async () => {
    const served = await serve(reply('I see.'), {
      lookAt: async (file) => (file.path === 'a.png' ? null : lookAt(file)),
    });
    await ask(served, { history: asking(picture('a.png'), picture('b.png')) });
    const shown = shownIn(served.server.requests[0]!.body);
    expect(shown).toEqual([NOT_SHOWN('a.png'), 'b.p', 'What is this?']);
    expect(served.server.violations).toEqual([]);
  });

  it('a request contains the newest files when not all of them fit', async () => {
    const served = await serve(reply('I see.'), { lookAt });
    const paths = Array.from({ length: 9 }, (_, at) => `${at}.png`);
    const history = asking(...paths.map((path) => picture(path, 3_600_000)));
    await ask(served, { history });
    const shown = shownIn(served.server.requests[0]!.body);
    expect(shown.slice(0, 3)).toEqual(['0.png', '1.png', '2.png'].map(NOT_SHOWN));
    expect(shown.slice(3, 9)).toEqual(paths.slice(3));
    expect(served.server.violations).toEqual([]);
  });

  it('a request omits a file that the server refused, and keeps the files it accepted before', async () => {
    const served = await serve(
      (body) => (shownIn(body).includes('bad.p') ? statusError(400) : reply('I see.')),
      { lookAt },
    );
    const [good, bad] = [picture('good.png', 5), picture('bad.png', 5)];
    await ask(served, { history: asking(good) });
    const events = await ask(served, { history: asking(good, bad) });
    expect(events.at(-1)).toMatchObject({ type: 'end' });
    await ask(served, { history: asking(good, bad) });
    expect(served.server.requests.map(({ body }) => shownIn(body))).toEqual([
      ['good.', 'What is this?'],
      ['good.', 'bad.p', 'What is this?'],
      ['good.', NOT_SHOWN('bad.png'), 'What is this?'],
      ['good.', NOT_SHOWN('bad.png'), 'What is this?'],
    ]);
  });

  it('a file stays in later requests if the server also refuses the request without it', async () => {
    const served = await serve(statusError(400), { lookAt });
    const events = await ask(served, { history: asking(picture('a.png')) });
    expect(events).toMatchObject([{ type: 'failure', failure: { kind: 'invalid-request' } }]);
    expect(served.server.requests).toHaveLength(2);
    served.server.setRespond(() => reply('I see.'));
    await ask(served, { history: asking(picture('a.png')) });
    expect(shownIn(served.server.requests[2]!.body)).toEqual(['a.p', 'What is this?']);
  });

  it('a file that has become hidden is not sent again', async () => {
    let isHidden = false;
    const served = await serve(reply('I see.'), {
      lookAt: async (file) => (isHidden ? null : lookAt(file)),
    });
    await ask(served, { history: asking(picture('a.png')) });
    isHidden = true;
    await ask(served, { history: asking(picture('a.png')) });
    expect(served.server.requests.map(({ body }) => shownIn(body)[0])).toEqual([
      'a.p',
      NOT_SHOWN('a.png'),
    ]);
  });
});
