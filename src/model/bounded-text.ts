/**
 * What a response says, to its end.
 *
 * @param most letters; no answer that is of use has more
 * @throws when it has, or is broken off
 */
export async function boundedText({ body }: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let said = '';
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    said += decoder.decode(next.value, { stream: true });
    if (said.length <= most) continue;
    await reader?.cancel();
    throw new Error('its answer is too long');
  }
  return said;
}
