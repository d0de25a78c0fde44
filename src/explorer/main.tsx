import { render } from 'preact';
import { App } from './app.tsx';
import { documentReader, ReadError, RevisionChangedError, reloadOnce, wasReloaded } from './data/reader.ts';
import { readShownRegistry, type ShownRegistry, withUids } from './data/registry.ts';
import { Notice, TryAgain } from './parts/notice.tsx';
import { rememberPlaces } from './state/scroll.ts';
import { makeTextsVisible } from './state/visible-texts.ts';

const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;

async function start(): Promise<void> {
  const root = document.getElementById('explorer');
  if (!root) return;
  makeTextsVisible();
  const reader = documentReader(script, wasReloaded());
  try {
    const registry = await readShownRegistry(reader);
    root.replaceChildren();
    rememberPlaces();
    const show = (registry: ShownRegistry) => render(<App reader={reader} registry={registry} />, root);
    show(registry);
    if (registry.table.uids[0] === '') show(await withUids(reader, registry));
  } catch (error) {
    if (error instanceof RevisionChangedError) reloadOnce();
    if (!(error instanceof ReadError)) throw error;
    root.replaceChildren();
    render(
      <main>
        <h1>The registry cannot be shown</h1>
        <Notice kind="wrong" title={error.message}>
          {reader.isLocal ? (
            'Large trees contain no offline copy. Serve the folder with gridpress serve.'
          ) : (
            <TryAgain />
          )}
        </Notice>
      </main>,
      root,
    );
  }
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => void start());
else void start();
