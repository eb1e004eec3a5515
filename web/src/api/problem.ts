/** What is wrong with one field: `path` is its dotted path in what is sent. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  /** Which rule, as the API names it. Absent: found here. */
  readonly code?: string;
}

/** What was entered cannot be sent. */
export class InputError extends Error {
  readonly problems: readonly Problem[];
  constructor(...problems: readonly Problem[]) {
    super(textOf(problems));
    this.name = 'InputError';
    this.problems = problems;
  }
}

/** @returns what is wrong with which field; nothing if the error is about something else. */
export function problemsWith(error: unknown): readonly Problem[] {
  return error instanceof Error && 'problems' in error ? (error.problems as readonly Problem[]) : [];
}

/** Whether a problem is that of a field, or of something inside of it. */
export function isAt(problem: Problem, path: string): boolean {
  return problem.path === path || problem.path.startsWith(`${path}.`);
}

/** What is wrong with a field, with the name that it has on the page. @param message as the API or a form says it. */
export function sentenceAbout(label: string, message: string): string {
  if (label !== '' && message === 'Required') return `Fill in “${label}”.`;
  if (label === '' || !/^(must|needs) /.test(message)) return message;
  return `“${label}” ${message}.`;
}

/** An error of any kind as a sentence. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/**
 * Why nothing was saved.
 * @param paths of the fields that are shown: what is wrong with them stands beside them and is not said again.
 */
export function refusalText(error: unknown, paths: readonly string[]): string {
  const problems = problemsWith(error);
  if (problems.length === 0) return sentenceOf(error);
  const others = problems.filter((problem) => !paths.some((path) => isAt(problem, path)));
  if (others.length > 0) return textOf(others);
  return problems.length === 1 ? 'One field needs a change.' : `${problems.length} fields need a change.`;
}

function textOf(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}
