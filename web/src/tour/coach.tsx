import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CONTROLS } from '../../shared/restore-focus.ts';
import { Icon } from '../components/icon.tsx';
import { GAP, placeCard, type Size } from './place-card.ts';
import { STEP_NAMES } from './steps.ts';
import { endTour, shownStep, type ShownStep } from './tour.ts';
import { useTarget } from './use-target.ts';

/** Longer than a browser takes that has been allowed to use the microphone before: then this step is not shown. */
const SETTLED_AFTER_MS = 300;
/** Between the ring and what it goes around, in CSS pixels. */
const RING = 6;

/**
 * The tour: a card that says what to do next, and a ring around where. The page stays usable: the tour goes on when
 * somebody does it.
 */
export function Coach() {
  const wanted = shownStep.value;
  const [settled, setSettled] = useState<ShownStep['step'] | null>(null);
  useEffect(() => {
    if (wanted === null) return setSettled(null);
    const timer = setTimeout(() => setSettled(wanted.step), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted?.step]);
  return wanted === null || settled !== wanted.step ? null : <Card shown={wanted} />;
}

function Card({ shown }: { shown: ShownStep }) {
  const { step, title, text, targets, elsewhere } = shown;
  const card = useRef<HTMLElement>(null);
  const target = useTarget(elsewhere === null ? targets : []);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const viewport = useViewport();

  useLayoutEffect(() => {
    const { offsetWidth: width, offsetHeight: height } = card.current!;
    setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
  });
  // What had the focus may be gone with its page. Somebody who is elsewhere is not called away: the text is announced.
  useEffect(() => {
    if (document.activeElement?.matches(CONTROLS) !== true) card.current?.focus({ preventScroll: true });
  }, [step]);

  const place = placeCard(target?.box ?? null, size, viewport);
  return (
    <>
      {target !== null && (
        <div
          class="tour-ring"
          style={{
            left: `${target.box.left - RING}px`,
            top: `${target.box.top - RING}px`,
            width: `${target.box.width + 2 * RING}px`,
            height: `${target.box.height + 2 * RING}px`,
          }}
        />
      )}
      <section
        ref={card}
        class="card tour-card"
        role="dialog"
        aria-labelledby="tour-title"
        aria-describedby="tour-text"
        tabIndex={-1}
        style={{ left: `${place.left}px`, top: `${place.top}px`, maxWidth: `calc(100vw - ${2 * GAP}px)` }}
        onKeyDown={(event) => event.key === 'Escape' && leave()}
      >
        <div aria-live="polite">
          <p class="muted small number">
            Tour, step {STEP_NAMES.indexOf(step) + 1} of {STEP_NAMES.length}
          </p>
          <h2 id="tour-title">{title}</h2>
          <p id="tour-text">{text}</p>
        </div>
        <Buttons step={step} elsewhere={elsewhere} target={target?.element ?? null} />
      </section>
    </>
  );
}

/** @param props.elsewhere the address of the page of this step, when another one is shown. */
function Buttons({ step, elsewhere, target }: Pick<ShownStep, 'step' | 'elsewhere'> & { target: HTMLElement | null }) {
  return (
    <div class="row">
      {step === 'record' ? (
        <button class="button primary" type="button" onClick={leave}>
          Done
        </button>
      ) : elsewhere !== null ? (
        <a class="button primary" href={elsewhere}>
          Go there
        </a>
      ) : (
        target !== null && (
          <button class="button primary" type="button" onClick={() => focusIn(target)}>
            Show it
          </button>
        )
      )}
      {step !== 'record' && (
        <button class="button quiet" type="button" onClick={leave}>
          <Icon name="cross" />
          Leave the tour
        </button>
      )}
    </div>
  );
}

/** The keyboard goes on in the page. */
function leave(): void {
  endTour();
  document.getElementById('content')?.focus({ preventScroll: true });
}

function focusIn(element: HTMLElement): void {
  const control = element.matches(CONTROLS) ? element : element.querySelector<HTMLElement>(CONTROLS);
  // What is not a control takes the focus once, so that a screen reader reads on from there.
  if (control === null) element.tabIndex = -1;
  (control ?? element).focus();
}

function useViewport(): Size {
  const [viewport, setViewport] = useState<Size>({ width: innerWidth, height: innerHeight });
  useEffect(() => {
    const read = (): void => setViewport({ width: innerWidth, height: innerHeight });
    addEventListener('resize', read);
    return () => removeEventListener('resize', read);
  }, []);
  return viewport;
}
