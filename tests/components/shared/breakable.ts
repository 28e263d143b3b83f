/** Components that fail on request, for `vi.mock`, which each test file has to call itself. */

/** Names of the components that currently fail. */
export const broken = new Set<string>();

type Component = (...given: unknown[]) => unknown;

export async function breakable(
  name: string,
  load: () => Promise<unknown>,
): Promise<{ default: Component }> {
  const { default: component } = (await load()) as { default: Component };
  return {
    default: (...given) => {
      if (broken.has(name)) throw new TypeError(`${name} fails on purpose`);
      return component(...given);
    },
  };
}
