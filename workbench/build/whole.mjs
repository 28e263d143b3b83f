import { readFileSync } from 'node:fs';

/** Packages that use more of others than Parley does, which is given to it shortened. */
const WANTS_WHOLE = /\/node_modules\/@modelcontextprotocol\/|\?whole$/;
const GIVEN_WHOLE = /\/node_modules\/zod\//;

/**
 * What checks schemas of others. Parley checks what it sends by itself, and of what it is sent believes nothing: the two
 * validators that the packages bring would be as large as the rest of them.
 */
const VALIDATORS = /^@modelcontextprotocol\/(?:client|server)\/_shims$/;
const NO_VALIDATOR = '\0no-validator';
const ACCEPTS_ALL = `
export class DefaultJsonSchemaValidator {
  getValidator() {
    return (data) => ({ valid: true, data, errorMessage: undefined });
  }
}
export const CORS_IS_POSSIBLE = false;
export const process = undefined;
`;

/**
 * Gives the packages of tool servers copies of their own of what is shortened for Parley.
 *
 * @returns {import('vite').Plugin}
 */
export function whole() {
  return {
    name: 'whole',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (importer === undefined || !WANTS_WHOLE.test(importer.replaceAll('\\', '/'))) return null;
      if (VALIDATORS.test(source)) return NO_VALIDATOR;
      const from = importer.replace(/\?whole$/, '');
      const found = await this.resolve(source, from, { skipSelf: true });
      if (!found || found.external || !GIVEN_WHOLE.test(found.id.replaceAll('\\', '/')))
        return found;
      return { ...found, id: `${found.id}?whole` };
    },
    load(id) {
      if (id === NO_VALIDATOR) return ACCEPTS_ALL;
      return id.endsWith('?whole') ? readFileSync(id.slice(0, -'?whole'.length), 'utf8') : null;
    },
  };
}
