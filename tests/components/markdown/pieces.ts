/** Random Markdown, made of parts that change the meaning of what is before or after them. */
import fc from 'fast-check';

const INLINE =
  'word|a b|`code`|``|**bold|**|_em_|~~|~~gone~~|[x]|[x][y]|[Y]|[a](b)|[a [b](c)](d)|![p](https://c.d/e)|[[Note]]|[[No|te]]|[t [[N]]](u)|==hi==|\\|&amp;|&copy|&lt;|;|&#13;|&#0;|\0|\r|<kbd>K</kbd>|<kbd>|<code>|<pre>|a < b|<b>|https://auto.link/x|<https://a.b>|😀|שלום|$x$|:|-|2|"title"| "t|<br>|<!--|-->|<script>|</script>|<p>x|<?|?>|^[note]|^[see [[Note]]|[^1]|[^2]|[@Note:1]|[@No|^['
    .split(/(?<!\[\[No)\|(?!te)/)
    .map((piece) => piece || '|');

const BLOCKS = [
  ...['- item', '* item', '+ plus', '1. one', '2. two', '10) ten', '  - nested', '    deep'],
  ...[
    '- [ ] task',
    '- [x] done',
    '> quote',
    '>',
    '> - in it',
    '# head',
    '## ',
    '===',
    '---',
    '***',
  ],
  ...['```', '```js', '~~~', '| a | b |', '| --- | --: |', '| 1 | 2 |', '|', '<div>', '</div>'],
  ...['[x]: /note', '[y]: https://a.b', '> [x]: /quoted', '- [y]: /listed', '[x]:', '   more'],
  ...['[^1]: one', '[^2]: two[^1]', '> [^1]: quoted', '- listed^[in it [x]]', '| a^[b] | c |'],
];

const SPACES = ['\n', '\n', '\n\n', '\n\n', '\n\n\n', ' ', ' ', '    ', '\t', '\r\n', ''];

const piece = fc.oneof(
  fc.constantFrom(...INLINE),
  fc.constantFrom(...BLOCKS),
  fc.constantFrom(...SPACES),
  fc.string({ maxLength: 4 }),
);

export const markdown = fc
  .array(fc.tuple(piece, fc.constantFrom(...SPACES)), { maxLength: 20 })
  .map((pieces) => pieces.flat().join(''));
