/** Where the page begins: reads the registry of the tree in which its script lies, and shows it. */
import { render } from 'preact';
import { App } from './app.tsx';
import { documentReader, ReadError, wasReadAnew } from './data/reader.ts';
import { readShownRegistry } from './data/registry.ts';
import { Notice } from './parts/notice.tsx';

const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;

async function start(): Promise<void> {
  const root = document.getElementById('explorer');
  if (!root) return;
  const reader = documentReader(script, wasReadAnew());
  try {
    const registry = await readShownRegistry(reader);
    root.replaceChildren();
    render(<App reader={reader} registry={registry} />, root);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    root.replaceChildren();
    render(
      <main>
        <h1>The registry cannot be shown</h1>
        <Notice kind="wrong" title={error.message}>
          {reader.isLocal ? (
            'The page was opened from a folder. Large trees carry no data for that: serve the folder, for instance with gridpress serve.'
          ) : (
            <button type="button" onClick={() => location.reload()}>
              Try again
            </button>
          )}
        </Notice>
      </main>,
      root,
    );
  }
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => void start());
else void start();
