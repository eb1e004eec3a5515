import { canonicalJson } from '../canonical-json.ts';
import type { WorkLimit } from './work-limit.ts';

export type SchemaObject = Readonly<Record<string, unknown>>;

/** What is wrong with a value, and where in it: dotted, empty for the value itself. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** One check of a value: what it is checked against, how much may still be done for it, and what was found. */
export interface Check {
  /** Where references begin. */
  readonly root: SchemaObject;
  readonly work: WorkLimit;
  readonly faults: Fault[];
  /** Nothing more is looked at once so many faults are known. */
  readonly enough: number;
  /**
   * What may be put right on the way. `types`: a number that was written as text, say; `all`: also what is missing and
   * has a default. A choice between schemas is first tried with `nothing`.
   */
  readonly repairs: 'nothing' | 'types' | 'all';
}

export function newCheck(root: SchemaObject, options: Pick<Check, 'work' | 'enough' | 'repairs'>): Check {
  return { root, faults: [], ...options };
}

/** A trial takes as long as so many schemas that are simply applied. */
const TRIAL_STEPS = 3;

/** The same, to see whether a schema fits at all. */
export function trial(check: Check, repairs: 'nothing' | 'types'): Check {
  check.work.spend(TRIAL_STEPS);
  return { ...check, faults: [], enough: 1, repairs: check.repairs === 'nothing' ? 'nothing' : repairs };
}

export function isDone(check: Check): boolean {
  return check.faults.length >= check.enough;
}

export function fault(check: Check, path: string, message: string): void {
  if (!isDone(check)) check.faults.push({ path, message });
}

export function inside(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Equal as JSON. */
export function equal(check: Check, left: unknown, right: unknown): boolean {
  check.work.spend(1);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  check.work.spend(sizeOf(left) + sizeOf(right));
  return canonicalJson(left) === canonicalJson(right);
}

/** Values in it, for `WorkLimit`. */
export function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + sizeOf(inner), 1);
}
