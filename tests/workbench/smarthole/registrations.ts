/** Registered clients, and SmartHole's rules for names and descriptions. */
import { isRecord } from './wire';

export type RefusalCode =
  | 'INVALID_NAME'
  | 'INVALID_DESCRIPTION'
  | 'DUPLICATE_NAME'
  | 'ALREADY_REGISTERED'
  | 'VALIDATION_ERROR';

export interface Client {
  readonly clientId: string;
  readonly name: string;
  readonly description: string;
}

export type RegistrationDecision =
  | { readonly ok: true; readonly name: string; readonly description: string }
  | { readonly ok: false; readonly code: RefusalCode; readonly message: string };

/** Validates the payload of a registration, regardless of other clients. */
export function validateRegistration(payload: unknown): RegistrationDecision {
  if (!isRecord(payload)) return no('VALIDATION_ERROR', 'Payload must be an object');
  const { name, description, version, capabilities } = payload;
  if (typeof name !== 'string' || typeof description !== 'string') {
    return no('VALIDATION_ERROR', 'Name and description must be strings');
  }
  if (version !== undefined && typeof version !== 'string') {
    return no('VALIDATION_ERROR', 'Version must be a string');
  }
  const areStrings =
    Array.isArray(capabilities) && capabilities.every((each) => typeof each === 'string');
  if (capabilities !== undefined && !areStrings) {
    return no('VALIDATION_ERROR', 'Capabilities must be strings');
  }
  if (!/^[a-zA-Z][a-zA-Z0-9_-]*$/.test(name) || name.length > 64) {
    return no(
      'INVALID_NAME',
      'Name must begin with a letter and hold up to 64 letters, digits, - or _',
    );
  }
  if (description.trim() === '' || description.length > 1_024) {
    return no('INVALID_DESCRIPTION', 'Description must hold 1 to 1024 characters');
  }
  return { ok: true, name, description };
}

function no(code: RefusalCode, message: string): RegistrationDecision {
  return { ok: false, code, message };
}

/** Registered clients by connection. */
export class Registrations<Connection> {
  readonly #clients = new Map<Connection, Client>();
  /** In order of registration. */
  get all(): readonly Client[] {
    return [...this.#clients.values()];
  }

  of(connection: Connection): Client | null {
    return this.#clients.get(connection) ?? null;
  }

  connectionOf(name: string): Connection | null {
    for (const [connection, client] of this.#clients) if (client.name === name) return connection;
    return null;
  }

  /** The older registration keeps the name; names are case-sensitive. */
  register(connection: Connection, payload: unknown, clientId: string): RegistrationDecision {
    const judged = validateRegistration(payload);
    if (this.#clients.has(connection)) {
      return no('ALREADY_REGISTERED', 'This connection is registered already');
    }
    if (!judged.ok) return judged;
    const { name, description } = judged;
    const owner = this.connectionOf(name);
    if (owner !== null && owner !== connection) {
      return no('DUPLICATE_NAME', `A client named "${name}" is registered already`);
    }
    this.#clients.set(connection, { clientId, name, description });
    return judged;
  }

  leave(connection: Connection): void {
    this.#clients.delete(connection);
  }

  clear(): void {
    this.#clients.clear();
  }
}
