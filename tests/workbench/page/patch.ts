/**
 * Helpers to extend the classes of the mocks. They are patched in place, because plugins extend
 * them, and `instanceof` must work.
 */
export function patch<Instance extends object>(
  { prototype }: { prototype: Instance },
  members: Partial<Instance> & ThisType<Instance>,
): void {
  Object.assign(prototype, members);
}

/** Runs `work` at the end of a mock's constructor, where each class calls a hook of its own. */
export function afterConstructor<Instance extends object, Made extends unknown[]>(
  { prototype }: { prototype: Instance },
  hook: keyof Instance,
  work: (self: Instance, ...made: Made) => void,
): void {
  const before = prototype[hook] as (this: Instance, ...made: Made) => void;
  Object.assign(prototype, {
    [hook](this: Instance, ...made: Made): void {
      before.apply(this, made);
      work(this, ...made);
    },
  });
}

/** Access to private members of a mock. */
export function inner<Members>(mock: object): Members {
  return mock as Members;
}
