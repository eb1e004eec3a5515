import { render } from 'preact';
import { App } from './app.tsx';
import { takeKeyFromAddress } from './state/key.ts';
import { followMe } from './state/me.ts';
import { followTheme } from './state/theme.ts';

takeKeyFromAddress();
followMe();
followTheme();
render(<App />, document.getElementById('app')!);
