/** What a page, a note or a model could put into an answer to make the window do something, and how to see it there. */
export const HOSTILE: readonly string[] = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://evil.example/pixel.png">',
  '<img srcset="https://evil.example/a 1x">',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<picture><source srcset="https://evil.example/a"></picture>',
  '<video src="https://evil.example/v" autoplay></video>',
  '<video poster="https://evil.example/p.png"></video>',
  '<audio src="https://evil.example/a" onloadstart=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="https://evil.example/x"></object>',
  '<embed src="https://evil.example/x">',
  '<applet code="x"></applet>',
  '<frameset onload=alert(1)></frameset>',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<link rel="prefetch" href="https://evil.example/x">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<style>body { display: none }</style>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<p style="background:url(https://evil.example/x)">x</p>',
  '<div style="position:fixed;inset:0">cover</div>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#9;script:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="obsidian://open?vault=x">x</a>',
  '<a href="blob:https://x/1">x</a>',
  '<a href="//evil.example" ping="https://evil.example/p">x</a>',
  '<a href="https://ok.example" onclick="alert(1)">x</a>',
  '<a href="https://ok.example" onmouseover=alert(1)>x</a>',
  '<a id="x" name="body">x</a>',
  '<p onfocus=alert(1) tabindex=1 autofocus>x</p>',
  '<details open ontoggle=alert(1)>x</details>',
  '<svg onload=alert(1)></svg>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x></svg>#x"/></svg>',
  '<svg><image href="https://evil.example/x.png"/></svg>',
  '<svg><foreignObject><iframe src="https://evil.example"></iframe></foreignObject></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<math href="javascript:alert(1)">x</math>',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<form action="https://evil.example"><input name=x><button>go</button></form>',
  '<form><button formaction="javascript:alert(1)">x</button></form>',
  '<button onclick="alert(1)">x</button>',
  '<button class="mod-cta" style="all:unset">Allow</button>',
  '<input type="image" src="https://evil.example/x">',
  '<input type="text" autofocus onfocus=alert(1)>',
  '<input type="checkbox" onchange=alert(1)>',
  '<textarea autofocus onfocus=alert(1)></textarea>',
  '<select onchange=alert(1)><option>x</option></select>',
  '<isindex action=javascript:alert(1) type=image>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<noembed><img src=x onerror=alert(1)></noembed>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<dialog open>Sign in</dialog>',
  '<portal src="https://evil.example"></portal>',
  '<body onload=alert(1)>',
  '<html manifest="https://evil.example">',
  '<table background="https://evil.example/x"><tr><td background="https://evil.example/y">x</td></tr></table>',
  '<ul style="list-style-image:url(https://evil.example/x)"><li>x</li></ul>',
  '<p class="modal-container mod-dim">x</p>',
  '<p id="app">x</p>',
  '<p data-src="https://evil.example" data-note="x">x</p>',
  '<p contenteditable>x</p>',
  '<p is="x-evil" slot="y" part="z">x</p>',
  '<custom-element onclick=alert(1)>x</custom-element>',
  '<!--<img src="--><img src=x onerror=alert(1)>',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '<a href="https://ok.example"><img src=x onerror=alert(1)></a>',
  '<img """><script>alert(1)</script>">',
  '<<script>alert(1);//<</script>',
  '<img src=x:x onerror\n=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert(1) "t")',
  '[x](<java\tscript:alert(1)>)',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](file:///etc/passwd)',
  '[x](obsidian://adv-uri?commandid=x)',
  '[x](https://ok.example "\\" onmouseover=\\"alert(1)")',
  '[x](//evil.example)',
  '[x]: javascript:alert(1)\n\n[x]',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/p.png)',
  '![x](//evil.example/p.png)',
  '![" onerror="alert(1)](https://evil.example/p.png)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '[[javascript:alert(1)]]',
  '[[x" onclick="alert(1)]]',
  '![[x|<img src=x onerror=alert(1)>]]',
  '<mark><img src=x onerror=alert(1)></mark>',
  '<kbd onclick=alert(1)>x</kbd>',
  '==<img src=x onerror=alert(1)>==',
  '```html"><img src=x onerror=alert(1)>\nx\n```',
  '```dataviewjs\nalert(1)\n```',
  '`<img src=x onerror=alert(1)>`',
  '| a |\n| --- |\n| <img src=x onerror=alert(1)> |',
  '> <script>alert(1)</script>',
  '- <iframe src="https://evil.example">',
  '# <style>*{display:none}</style>',
];

const TAGS = new Set(
  'P BR HR H1 H2 H3 H4 H5 H6 BLOCKQUOTE PRE CODE UL OL LI INPUT TABLE THEAD TBODY TR TH TD A BUTTON STRONG EM DEL MARK KBD SUB SUP U INS SMALL'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  'href title class start align type checked disabled data-note data-src target rel dir aria-label'.split(
    ' ',
  ),
);
const CLASSES =
  /^(?:(?:internal-link|parley-embed|parley-picture|task-list-item|language-[\w+#.-]+) ?)+$/;

/** What is there that could do anything, in words; empty where all is well. */
export function dangersIn(root: ParentNode): string[] {
  const found: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    if (!TAGS.has(element.tagName)) found.push(`the tag ${element.tagName}`);
    for (const { name, value } of element.attributes) {
      if (!ATTRIBUTES.has(name)) found.push(`${element.tagName} has ${name}`);
      if (name === 'href' && !/^(?:https?:\/\/|mailto:|#$)/i.test(value)) {
        found.push(`a link to ${value}`);
      }
      if (name === 'class' && !CLASSES.test(value)) found.push(`the class ${value}`);
      if (name === 'data-src' && !element.classList.contains('parley-picture')) {
        found.push(`an address at ${element.tagName}`);
      }
    }
    if (element.tagName === 'INPUT' && element.getAttribute('type') !== 'checkbox') {
      found.push('a field');
    }
  }
  return found;
}
