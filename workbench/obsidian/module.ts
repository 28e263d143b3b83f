/**
 * The module that `require('obsidian')` returns: the mocks, with replacements for what they lack or
 * get wrong.
 */
export * from 'obsidian-test-mocks/obsidian';
export { editorInfoField, editorLivePreviewField } from './editor-fields';
export { prepareFuzzySearch } from './fuzzy';
export { getIcon, setIcon } from './icons';
export { getFrontMatterInfo, parseYaml, stringifyYaml } from './metadata/front-matter';
export { getAllTags, parseFrontMatterAliases, parseFrontMatterTags } from './metadata/tags';
export { normalizePath } from './paths';
export { request, requestUrl } from './request-url';
