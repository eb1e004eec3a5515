import { useEffect, useRef } from 'preact/hooks';
import type { Problem } from '../../api/problem.ts';
import { problemsIn } from './section.ts';
import { type Section, SECTIONS } from './sections.tsx';

/** The parts of the editor, and in which of them something is wrong. @param props.base address of the editor. */
export function SectionNav({
  base,
  current,
  problems,
  isNew,
}: {
  base: string;
  current: Section;
  problems: readonly Problem[];
  isNew: boolean;
}) {
  const list = useRef<HTMLUListElement>(null);
  // On a narrow screen the parts stand in one line that is longer than the screen.
  useEffect(() => {
    const here = list.current?.querySelector('[aria-current]');
    here?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav class="section-nav" aria-label="Parts of the persona">
      <ul ref={list}>
        {SECTIONS.filter(({ onlyCreated }) => !isNew || onlyCreated !== true).map(({ id, name, fields }) => {
          const count = problemsIn(fields, problems);
          return (
            <li key={id}>
              <a href={`${base}/${id}`} aria-current={id === current.id ? 'true' : undefined}>
                {name}
                {count > 0 && (
                  <span class="badge bad">
                    {count}
                    <span class="visually-hidden"> {count === 1 ? 'problem' : 'problems'}</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
