/** Finds anything in drawn nodes that could act or load. */

const TAGS = new Set(
  'P BR HR H1 H2 H3 H4 H5 H6 BLOCKQUOTE PRE CODE UL OL LI INPUT TABLE THEAD TBODY TR TH TD A BUTTON STRONG EM DEL MARK KBD SUB SUP U INS SMALL SPAN DIV DETAILS SUMMARY SECTION'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  'href title class start align type checked disabled data-note data-src data-callout data-callout-fold data-footnote data-task open target rel dir aria-label'.split(
    ' ',
  ),
);
const CLASSES =
  /^(?:(?:internal-link|external-link|parley-embed|parley-picture|tag|task-list-item|task-list-item-checkbox|contains-task-list|is-checked|is-collapsible|math|math-inline|math-block|callout|callout-title|callout-title-inner|callout-icon|callout-content|footnotes|footnote-ref|footnote-link|footnote-backref|language-[\w+#.-]+) ?)+$/;

/** Descriptions of everything that could act; empty if there is nothing. */
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
      const isPicture = element.matches('button.parley-picture') && /^https?:/i.test(value);
      if (name === 'data-src' && !isPicture) {
        found.push(`the address ${value} at ${element.tagName}`);
      }
    }
    if (element.tagName === 'INPUT' && element.getAttribute('type') !== 'checkbox') {
      found.push('a field');
    }
  }
  return found;
}
