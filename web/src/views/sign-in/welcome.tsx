import { KeyCard } from '../settings/key-card.tsx';
import { SignInCard } from './sign-in-card.tsx';

/** Before anybody has signed in or given a key. */
export function Welcome() {
  return (
    <main class="page narrow">
      <header class="page-head">
        <div>
          <h1>Welcome to Parley</h1>
          <p>
            Talk with AI personas on your own server: a face, a voice and an LLM. Sign in to begin, or use an API key.
          </p>
        </div>
      </header>
      <div class="stack">
        <SignInCard />
        <KeyCard />
      </div>
    </main>
  );
}
