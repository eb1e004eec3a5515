import fields from '../../api/persona-fields.json';
import { CheckField, TextField } from '../../components/fields.tsx';
import type { SectionProps } from './section.ts';

const SECONDS = 60;
const LONGEST = fields.limits.maxSessionLengthSeconds;

/** What is kept of conversations, and how long they may be. */
export function Privacy({ draft, set }: SectionProps) {
  const seconds = draft.maxSessionLengthSeconds;
  return (
    <>
      <CheckField
        label="Record conversations"
        hint="Picture and sound of both sides, to be played under Sessions. A session can say otherwise for itself."
        path="enableSessionReplay"
        checked={draft.enableSessionReplay}
        onChange={(enableSessionReplay) => set({ enableSessionReplay })}
      />
      <CheckField
        label="Keep nothing of what is said (zero data retention)"
        hint="No transcript, no recording, no event log. The voice, the LLM and speech recognition must keep nothing, too, and the operator must have allowed it for your organization."
        path="zeroDataRetention"
        checked={draft.zeroDataRetention}
        onChange={(zeroDataRetention) => set({ zeroDataRetention })}
      />
      <TextField
        label="Longest conversation, in minutes"
        path="maxSessionLengthSeconds"
        type="number"
        value={seconds === null ? '' : String(seconds / SECONDS)}
        hint={`Left empty: as long as this service allows. The user is warned 30 seconds before. At most ${LONGEST.maximum / SECONDS} minutes.`}
        onInput={(minutes) =>
          set({ maxSessionLengthSeconds: minutes === '' ? null : Math.round(Number(minutes) * SECONDS) })
        }
      />
      <p class="muted small">
        After how many days transcripts and recordings are deleted is set by the operator, for the whole service.
      </p>
    </>
  );
}
