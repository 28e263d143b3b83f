/** Components that fail when a test says so. For `vi.mock`, which a test file has to call itself. */

/** Names of the components that fail now. */
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
