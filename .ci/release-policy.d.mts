/** The files of a release and of its repository, as text. */
export interface Release {
  readonly main: string;
  readonly manifest: string;
  readonly styles: string;
  /** `REVIEWER_NOTES.md` */
  readonly notes: string;
  readonly readme: string;
  readonly changelog: string;
  readonly license: string;
  /** `package.json` */
  readonly package: string;
  /** `package-lock.json` */
  readonly lock: string;
  /** `versions.json` */
  readonly versions: string;
  /** The tag of the release, if it has one. */
  readonly tag?: string;
}

export interface Violation {
  readonly rule: string;
  /** A sentence. */
  readonly problem: string;
}

export function violationsOf(release: Release): Violation[];
