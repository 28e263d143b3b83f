/**
 * Ids are branded strings, so that passing a turn's id as a request's id is a type error. They are
 * minted once, where a thing enters, and sort by creation time.
 */
declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type DeviceId = Id<'device'>;
export type RequestId = Id<'request'>;
export type ConversationId = Id<'conversation'>;
export type TurnId = Id<'turn'>;
export type MessageId = Id<'message'>;
/**
 * Identifies a call by its place: turn, step, position. The provider's id is kept separately,
 * because servers repeat theirs.
 */
export type CallId = Id<'call'>;
export type InteractionId = Id<'interaction'>;
export type ChangeId = Id<'change'>;
/** Identifies one block of a proposal, in the note itself. */
export type ProposalId = Id<'proposal'>;

interface IdOf {
  device: DeviceId;
  request: RequestId;
  conversation: ConversationId;
  turn: TurnId;
  message: MessageId;
  interaction: InteractionId;
  change: ChangeId;
  proposal: ProposalId;
}

/** Mints a new id of one kind. Injected, so that tests can predict the ids. */
export type MintId = <Kind extends keyof IdOf>(kind: Kind) => IdOf[Kind];

/**
 * @param now milliseconds since 1970; ids of one device sort by it
 * @param random at least 8 characters of `a-z0-9`, different each time
 */
export function idMinter(now: () => number, random: () => string): MintId {
  let last = -1;
  let count = 0;
  return <Kind extends keyof IdOf>(kind: Kind): IdOf[Kind] => {
    const time = now();
    // Ids minted in the same millisecond, or after the clock was set back, keep their order.
    count = time > last ? 0 : count + 1;
    if (time > last) last = time;
    if (count === ID_COUNTER_MODULUS) {
      last += 1;
      count = 0;
    }
    return `${kind}-${last.toString(36).padStart(9, '0')}${count.toString(36).padStart(2, '0')}${random().slice(0, 8)}` as IdOf[Kind];
  };
}

/** Number of values that two base-36 digits can encode. */
const ID_COUNTER_MODULUS = 36 * 36;

export function callId(turn: TurnId, step: number, position: number): CallId {
  return `${turn}.${step}.${position}` as CallId;
}
