/**
 * What the official packages import as their `_shims`: the parts that depend on the environment. The build resolves that
 * import here, so that their JSON Schema validators, as large as the rest of them, are not bundled.
 */
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client';

/**
 * Accepts every value. Parley validates what it sends by its own schemas, and treats what a server sends as untrusted
 * data whatever the server's schema says.
 */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    return (data) => ({ valid: true, data: data as Value, errorMessage: undefined });
  }
}

/** Requests go through Parley's own fetch, so a failed one never means that a page may not ask. */
export const CORS_IS_POSSIBLE = false;

/** Parley's server speaks HTTP only. */
export const process = undefined;
