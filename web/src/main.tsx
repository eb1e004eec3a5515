import { render } from 'preact';
import { App } from './app.tsx';
import { takeKeyFromAddress } from './state/key.ts';
import { followTheme } from './state/theme.ts';

takeKeyFromAddress();
followTheme();
render(<App />, document.getElementById('app')!);
