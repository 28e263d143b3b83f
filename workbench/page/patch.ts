/**
 * How the page gives the mocks a body. Their classes are changed in place, since plugins extend them: a class of our
 * own beside theirs would not be the one that `instanceof` asks for.
 */
export function patch<Instance extends object>(
  { prototype }: { prototype: Instance },
  members: Partial<Instance> & ThisType<Instance>,
): void {
  Object.assign(prototype, members);
}

/** Runs at the end of the mock's constructor; each class calls a hook of its own there. */
export function onMade<Instance extends object, Made extends unknown[]>(
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

/** Members that the mocks keep to themselves. */
export function inner<Members>(mock: object): Members {
  return mock as Members;
}
