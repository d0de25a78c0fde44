import { fail, finding } from '../diagnostics/finding.ts';

/** Fails for a URL with a user name or a password, because no request sends them and many outputs show the URL. */
export function parseBase(base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return fail(finding('bad-url', { url: withoutLogin(base) }));
  if (url.username !== '' || url.password !== '') fail(finding('url-login', { url: withoutLogin(base) }));
  return url;
}

/** Removes the user name and the password from a text, even if the text is not a valid URL. */
function withoutLogin(text: string): string {
  return text.replace(/^([a-z][a-z\d+.-]*:\/*)[^/?#\\]*@/i, '$1');
}
