import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { InputError, type Problem, refusalText } from '../api/problem.ts';
import { type UsedWork, useWork, type Work } from './work.ts';

/** What a form sends: how far it is, and what is wrong with which field. */
export interface FormWork extends UsedWork {
  readonly element: RefObject<HTMLFormElement | null>;
  /** Runs a task, unless the browser finds something wrong in a field. */
  readonly send: (task: () => Promise<void>) => Promise<void>;
}

export function useFormWork(): FormWork {
  const element = useRef<HTMLFormElement>(null);
  const used = useWork((error) => refusalText(error, pathsIn(element.current)));
  useFocusOnProblem(element, used.work);
  return {
    ...used,
    element,
    send: (task) =>
      used.run(async () => {
        checkFields(element.current);
        await task();
      }),
  };
}

/**
 * After a refusal the keyboard stands in the first field that is wrong, as soon as this field is shown.
 * @param place changes when other fields are shown.
 */
export function useFocusOnProblem(container: RefObject<HTMLElement | null>, work: Work, place = ''): void {
  const handled = useRef<unknown>(null);
  const error = work.state === 'failed' ? work.error : null;
  useEffect(() => {
    if (error === null || error === handled.current) return;
    const field = container.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]');
    if (field === null || field === undefined) return;
    handled.current = error;
    field.focus();
  }, [error, place]);
}

function pathsIn(form: HTMLFormElement | null): readonly string[] {
  return [...(form?.querySelectorAll<HTMLElement>('[data-path]') ?? [])].map(({ dataset }) => dataset['path'] ?? '');
}

/** @throws InputError for what the browser itself finds wrong. */
function checkFields(form: HTMLFormElement | null): void {
  const problems = [...(form?.elements ?? [])].flatMap(problemWith);
  if (problems.length > 0) throw new InputError(...problems);
}

function problemWith(control: Element): readonly Problem[] {
  const isField =
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement;
  if (!isField || !control.willValidate || control.validity.valid) return [];
  return [{ path: control.dataset['path'] ?? '', message: wordingOf(control, labelOf(control)) }];
}

function labelOf({ labels }: Pick<HTMLInputElement, 'labels'>): string {
  return labels?.[0]?.textContent?.trim() ?? '';
}

function wordingOf(
  { validity, type, validationMessage }: Pick<HTMLInputElement, 'validity' | 'type' | 'validationMessage'>,
  label: string,
): string {
  if (validity.valueMissing && type === 'checkbox') return 'Check this to go on.';
  if (validity.valueMissing && type === 'file') return 'Choose a file.';
  if (validity.valueMissing) return label === '' ? 'Fill this in.' : `Fill in “${label}”.`;
  if (validity.badInput) return 'Enter a number.';
  if (validity.typeMismatch) return 'Enter an address that begins with https:// or http://.';
  return validationMessage;
}
