import { CopyButton } from '../../components/copy-button.tsx';

/** A secret, shown once. */
export function SecretCard({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <section class="card padded stack" aria-live="polite">
      <div>
        <h2>Its secret</h2>
        <p class="muted small">
          Your program verifies with it that an event comes from here. Copy it now: it is not shown again.
        </p>
      </div>
      <code class="output secret">{secret}</code>
      <div class="row">
        <CopyButton text={secret}>Copy the secret</CopyButton>
        <button class="button quiet" type="button" onClick={onDone}>
          Done
        </button>
      </div>
    </section>
  );
}
