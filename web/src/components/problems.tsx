import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Problem } from '../api/client.ts';

const Problems = createContext<readonly Problem[]>([]);

/** What the API says is wrong with the fields inside. Each field shows its own. */
export const FieldProblems = Problems.Provider;

/** @param path of a field in what is sent, for example `voiceGenerationOptions.speed`. */
export function useProblem(path: string | undefined): string | null {
  const problems = useContext(Problems);
  if (path === undefined) return null;
  return problems.find((problem) => isAt(problem, path))?.message ?? null;
}

/** Whether a problem is that of a field, or of something inside of it. */
export function isAt(problem: Problem, path: string): boolean {
  return problem.path === path || problem.path.startsWith(`${path}.`);
}
