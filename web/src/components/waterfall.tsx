import { providersText } from '../session/turn-providers.ts';
import type { TurnRecord } from '../session/turn-record.ts';
import { milliseconds, STAGE_NAMES, waterfallOf, type Stage } from '../session/waterfall.ts';

/** Turns side by side on one scale, newest first, so that a slow stage is seen at once. */
export function Waterfalls({ turns }: { turns: readonly TurnRecord[] }) {
  const shown = turns.flatMap((turn) => {
    const waterfall = waterfallOf(turn);
    return waterfall === null ? [] : [{ turn, waterfall }];
  });
  if (shown.length === 0)
    return (
      <p class="muted small">
        After the first answer you see here where its time went: from the end of your speech to the first audio of the
        persona.
      </p>
    );
  const scale = Math.max(...shown.map(({ waterfall }) => waterfall.totalMs), 1);
  const stages = [...new Set(shown.flatMap(({ waterfall }) => waterfall.bars.map(({ stage }) => stage)))];
  return (
    <div class="waterfalls">
      <Legend stages={stages} />
      {shown.toReversed().map(({ turn, waterfall }) => (
        <figure class="waterfall" key={turn.correlationId}>
          <figcaption class="head">
            <span class="what">{titleOf(turn)}</span>
            <span class="total">{milliseconds(waterfall.totalMs)}</span>
          </figcaption>
          <div class="track" aria-hidden="true">
            {waterfall.bars.map((bar) => (
              <span
                key={bar.stage}
                data-stage={bar.stage}
                style={{ width: `${((bar.to - bar.from) / scale) * 100}%` }}
              />
            ))}
          </div>
          <ul class="parts">
            {waterfall.bars.map((bar) => (
              <li key={bar.stage} title={STAGE_NAMES[bar.stage]}>
                <i class="swatch" data-stage={bar.stage} />
                <span class="visually-hidden">{STAGE_NAMES[bar.stage]} </span>
                {milliseconds(bar.to - bar.from)}
              </li>
            ))}
          </ul>
          <Providers turn={turn} />
        </figure>
      ))}
    </div>
  );
}

function Providers({ turn }: { turn: TurnRecord }) {
  const text = providersText(turn);
  return text === null ? null : <p class="muted small">{text}</p>;
}

function Legend({ stages }: { stages: readonly Stage[] }) {
  const order = Object.keys(STAGE_NAMES) as Stage[];
  return (
    <ul class="legend" aria-hidden="true">
      {order
        .filter((stage) => stages.includes(stage))
        .map((stage) => (
          <li key={stage}>
            <i data-stage={stage} />
            {STAGE_NAMES[stage]}
          </li>
        ))}
    </ul>
  );
}

function titleOf(turn: TurnRecord): string {
  if (turn.userText) return `“${turn.userText}”`;
  if (turn.turnIndex === 0) return 'Greeting';
  return turn.personaText ? `Unasked: ${turn.personaText}` : `Turn ${turn.turnIndex}`;
}
