export interface Finding {
  readonly rule: string;
  /** File and line. */
  readonly place: string;
  readonly problem: string;
  /** False for a warning that is wrong wherever a rule needs types to know better. */
  readonly isBroken: boolean;
}

export function filesOfReview(root: string): string[];
export function findingsOfReview(root: string): Promise<Finding[]>;
