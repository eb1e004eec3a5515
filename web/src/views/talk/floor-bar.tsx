import { holder, persona } from '../../state/talk.ts';

/**
 * Shows who has the floor, as two lanes that meet in the middle: the user's from the right end, the persona's from the
 * left end.
 */
export function FloorBar() {
  const name = persona.value?.name ?? 'Persona';
  const now = holder.value;
  const text = {
    nobody: 'Nobody speaks',
    user: 'You speak',
    persona: `${name} speaks`,
    both: 'You both speak',
    thinking: `${name} thinks`,
  }[now];
  return (
    <div class="floor">
      <div class="lanes" aria-hidden="true">
        <span class="lane user">
          <i class={now === 'user' || now === 'both' ? 'on' : ''} />
        </span>
        <span class="lane persona">
          <i class={now === 'persona' || now === 'both' ? 'on' : now === 'thinking' ? 'thinking' : ''} />
        </span>
      </div>
      <span class={`who ${now}`} data-floor={now}>
        {text}
      </span>
    </div>
  );
}
