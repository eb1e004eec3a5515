import { GroupField } from '../../components/group-field.tsx';
import { Icon } from '../../components/icon.tsx';
import { PlayButton } from '../../components/sample-button.tsx';
import { stop as stopPlaying } from '../../state/sample-player.ts';
import { RECORDING_FIELD } from './recording-file.ts';
import { type Recording, useRecorder } from './use-recorder.ts';
import { timeText } from './voice-wording.ts';

/** Records the microphone: the recording is heard, made again, or sent. */
export function RecorderField({ advice, onFile }: { advice: string; onFile: (file: File | null) => void }) {
  const { recording, start, stop } = useRecorder(onFile);
  const isBusy = recording.state === 'asking' || recording.state === 'saving';
  return (
    <GroupField label="Recording" path={RECORDING_FIELD} hint={`${advice} Read something aloud as you usually speak.`}>
      <div class="row">
        {/* One button throughout, so that the keyboard stays on it. */}
        <button
          class="button"
          type="button"
          aria-disabled={isBusy}
          onClick={() => {
            if (isBusy) return;
            stopPlaying();
            if (recording.state === 'recording') stop();
            else start();
          }}
        >
          <Icon name={recording.state === 'recording' ? 'stop' : 'mic'} />
          {buttonText(recording)}
        </button>
        {recording.state === 'ready' && (
          <PlayButton
            playKey="own recording"
            name="your recording"
            words="Listen"
            recording={{
              open: async () => URL.createObjectURL(recording.file),
              release: (url) => URL.revokeObjectURL(url),
            }}
          />
        )}
        {recording.state === 'recording' && (
          <span class="number" role="timer" aria-label="Recorded so far">
            {timeText(recording.seconds)}
          </span>
        )}
        <span class="muted small" role={recording.state === 'failed' ? 'alert' : 'status'}>
          {statusText(recording)}
        </span>
      </div>
    </GroupField>
  );
}

function buttonText({ state }: Recording): string {
  if (state === 'recording') return 'Stop';
  return state === 'ready' ? 'Record again' : 'Record';
}

function statusText(recording: Recording): string {
  switch (recording.state) {
    case 'none':
      return '';
    case 'asking':
      return 'Allow the microphone in the browser.';
    case 'recording':
      return 'Recording…';
    case 'saving':
      return 'One moment…';
    case 'ready':
      return `${timeText(recording.seconds)} recorded.`;
    case 'failed':
      return recording.message;
  }
}
