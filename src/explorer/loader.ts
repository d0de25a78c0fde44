/**
 * Loads the scripts of the page. Scripts define named parts instead of modules, because browsers load no modules from
 * `file:` URLs.
 */
import { lazily } from '../core/platform/on-demand.ts';

type Parts = Record<string, unknown>;

declare global {
  interface Window {
    gridpress: {
      /** Defines a part of the page. The function `make` receives the parts that earlier scripts define. */
      part: (name: string, make: (parts: Parts) => unknown) => void;
      load: (name: string) => Promise<unknown>;
    };
    trustedTypes?: TrustedTypeFactory;
  }
  interface TrustedTypeFactory {
    createPolicy: (
      name: string,
      rules: { createScriptURL: (url: string) => string },
    ) => { createScriptURL: (url: string) => string };
  }
}

const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';
const rules = { createScriptURL: (name: string) => new URL(`${name.replace(/\W/g, '')}.js`, script).href };
const policy = lazily(() => window.trustedTypes?.createPolicy('gridpress', rules) ?? rules);
const parts: Parts = {};

window.gridpress = {
  part: (name, make) => {
    parts[name] = make(parts);
  },
  load: (name) =>
    new Promise((resolve, reject) => {
      const element = document.createElement('script');
      element.onload = () => resolve(parts[name]);
      element.onerror = () => reject(new Error(`${name} could not be loaded`));
      element.src = policy().createScriptURL(name);
      document.head.append(element);
    }),
};
