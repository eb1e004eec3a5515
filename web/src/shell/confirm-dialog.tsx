import { Dialog } from '../components/dialog.tsx';
import { openQuestion } from '../state/confirm.ts';

/** The question that `confirm` asks, over the page. */
export function ConfirmDialog() {
  const question = openQuestion.value;
  if (question === null) return null;
  const { title, text, yes, answer } = question;
  return (
    <Dialog key={title} title={title} onClose={() => answer(false)}>
      <div class="stack">
        <p>{text}</p>
        <div class="row">
          <button class="button danger" type="button" onClick={() => answer(true)}>
            {yes}
          </button>
          <button class="button quiet" type="button" onClick={() => answer(false)}>
            Cancel
          </button>
        </div>
      </div>
    </Dialog>
  );
}
