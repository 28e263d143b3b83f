/** What `require('obsidian')` gives: the mocks, with what they lack or get wrong taken from here. */
export * from 'obsidian-test-mocks/obsidian';
export { getIcon, setIcon } from './icons.ts';
export { getFrontMatterInfo, parseYaml, stringifyYaml } from './metadata/front-matter.ts';
export { getAllTags, parseFrontMatterAliases, parseFrontMatterTags } from './metadata/tags.ts';
export { normalizePath } from './paths.ts';
export { request, requestUrl } from './request-url.ts';
