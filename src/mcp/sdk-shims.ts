/**
 * Replaces the module that the official packages import as `_shims`, for what depends on the
 * environment. The build resolves that import to this file, so that their JSON Schema validators,
 * which are as large as everything else in them, are not bundled.
 */
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client';

/**
 * Accepts every value. Parley validates what it sends by its own schemas, and treats everything
 * from a server as untrusted data, whatever the server's schema says.
 */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    return (data) => ({ valid: true, data: data as Value, errorMessage: undefined });
  }
}

/** Requests go through Parley's own `fetch`, so a failure is never due to CORS. */
export const CORS_IS_POSSIBLE = false;

/** Parley's server speaks HTTP only. */
export const process = undefined;
