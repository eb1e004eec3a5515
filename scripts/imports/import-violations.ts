import { createRequire } from 'node:module';
import { cruise } from 'dependency-cruiser';
import type { IConfiguration, ICruiseResult, IViolation } from 'dependency-cruiser';
import type { Import } from './layers.ts';

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

const FOR_TESTS = /(^|\/)(testing|fakes)\/|\.test\.tsx?$|(^|\/)testing\.ts$/;

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
  return (await readImports(root)).violations;
}

/** The same, and every import of one file by another that is no test, nor for tests. */
export async function readImports(
  root: string,
): Promise<{ readonly violations: ImportViolation[]; readonly imports: readonly Import[] }> {
  const { output } = await cruise(FOLDERS, { ...options, baseDir: root, ruleSet: { forbidden }, validate: true });
  const { summary, modules } = output as ICruiseResult;
  const reasons = new Map(forbidden?.map(({ name, comment }) => [name, comment]));
  const violations = summary.violations.map((violation) => ({
    rule: violation.rule.name,
    reason: reasons.get(violation.rule.name) ?? '',
    path: pathOf(violation),
  }));
  const imports = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  );
  return { violations, imports: imports.filter(({ from, to }) => !FOR_TESTS.test(from) && !FOR_TESTS.test(to)) };
}

function pathOf({ from, to, cycle }: IViolation): string[] {
  return cycle === undefined ? [from, to] : [from, ...cycle.map(({ name }) => name)];
}
