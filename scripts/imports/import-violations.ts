import { createRequire } from 'node:module';
import { cruise } from 'dependency-cruiser';
import type { IConfiguration, ICruiseResult, IViolation } from 'dependency-cruiser';

const FOLDERS = [
  'runtime',
  'models',
  'actors',
  'engine',
  'control',
  'meetings',
  'service',
  'clients',
  'web',
  'bench',
  'e2e',
  'deploy',
  'scripts',
];

const { forbidden, options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as IConfiguration;

export interface ImportViolation {
  /** The name of a rule in .dependency-cruiser.cjs. */
  rule: string;
  /** Why there is the rule; empty where its name says it. */
  reason: string;
  /** Paths from the root: the importing file, then what it imports; of a circle all files. */
  path: string[];
}

/**
 * Every import below this root that .dependency-cruiser.cjs forbids. The program of dependency-cruiser itself is not
 * used: it prints a warning about TypeScript 7 at each run, although it parses with swc.
 */
export async function importViolations(root: string): Promise<ImportViolation[]> {
  const { output } = await cruise(FOLDERS, { ...options, baseDir: root, ruleSet: { forbidden }, validate: true });
  const { violations } = (output as ICruiseResult).summary;
  const reasons = new Map(forbidden?.map(({ name, comment }) => [name, comment]));
  return violations.map((violation) => ({
    rule: violation.rule.name,
    reason: reasons.get(violation.rule.name) ?? '',
    path: pathOf(violation),
  }));
}

function pathOf({ from, to, cycle }: IViolation): string[] {
  return cycle === undefined ? [from, to] : [from, ...cycle.map(({ name }) => name)];
}
