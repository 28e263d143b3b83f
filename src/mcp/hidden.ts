/** What a server says of what went wrong may hold what it was given: with its secrets made unreadable. */
export function hider(secrets: readonly string[]): (text: string) => string {
  const written = secrets
    .flatMap((each) => [each, JSON.stringify(each).slice(1, -1)])
    .filter((each) => each !== '')
    // One may hold another.
    .toSorted((a, b) => b.length - a.length);
  return (text) => written.reduce((left, each) => left.replaceAll(each, '•••'), text);
}
