import { PageHead } from '../../components/page.tsx';
import { KeyCard } from '../settings/key-card.tsx';
import { SignInCard } from './sign-in-card.tsx';

/** Before anybody has signed in or given a key. */
export function Welcome() {
  return (
    <main class="page narrow">
      <PageHead
        title="Welcome to Parley"
        text="Talk with AI personas on your own server: a face, a voice and an LLM. Sign in to begin, or use an API key."
      />
      <div class="stack">
        <SignInCard />
        <KeyCard />
      </div>
    </main>
  );
}
