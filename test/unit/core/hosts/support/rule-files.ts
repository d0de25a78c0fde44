/** Reads `_headers` and `_redirects` like their hosts. */

export interface HeaderRule {
  readonly path: string;
  /** The headers in order. A header without a value is detached. */
  readonly headers: readonly (readonly [name: string, value: string | undefined])[];
}

export function readHeaderRules(text: string): HeaderRule[] {
  const rules: { path: string; headers: [string, string | undefined][] }[] = [];
  for (const line of text.split('\n')) {
    const [, detached, name, value] = /^ {2}(?:! (\S+)|([^:]+): (.*))$/.exec(line) ?? [];
    if (line.startsWith('/')) rules.push({ path: line, headers: [] });
    else if (detached !== undefined) rules.at(-1)?.headers.push([detached, undefined]);
    else if (name !== undefined) rules.at(-1)?.headers.push([name, value]);
  }
  return rules;
}

/** Cloudflare: an asterisk matches anything, a name one segment; of several rules for one path the last one applies. */
export function cloudflareHeaders(rules: readonly HeaderRule[], path: string): Record<string, string> {
  const byPath = new Map(rules.map((rule) => [rule.path, rule]));
  const found: Record<string, string> = {};
  for (const rule of byPath.values()) {
    if (!cloudflarePattern(rule.path).test(path)) continue;
    for (const [name, value] of rule.headers.filter(([, each]) => each === undefined)) {
      if (value === undefined) delete found[name];
    }
    for (const [name, value] of rule.headers) {
      if (value === undefined) continue;
      found[name] = found[name] === undefined ? value : `${found[name]}, ${value}`;
    }
  }
  return found;
}

export interface RedirectRule {
  readonly from: string;
  readonly to: string;
  readonly status: string;
}

export function readRedirectRules(text: string): RedirectRule[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('/'))
    .map((line) => {
      const [from = '', to = '', status = ''] = line.split(' ');
      return { from, to, status };
    });
}

/** Cloudflare: the first matching rule, rules without an asterisk or a name first. */
export function cloudflareRedirect(rules: readonly RedirectRule[], path: string): RedirectRule | undefined {
  const isDynamic = ({ from }: RedirectRule) => /[*:]/.test(from);
  const ordered = [...rules.filter((rule) => !isDynamic(rule)), ...rules.filter(isDynamic)];
  for (const rule of ordered) {
    const match = cloudflarePattern(rule.from).exec(path);
    if (match) return { ...rule, to: rule.to.replace(':splat', match.groups?.['splat'] ?? '') };
  }
  return undefined;
}

function cloudflarePattern(path: string): RegExp {
  const escaped = path.split('*').map((part) => part.replace(/[-/\\^$+?.()|[\]{}]/g, '\\$&'));
  return new RegExp(`^${escaped.join('(?<splat>.*)').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}

/** Netlify: a name matches a segment, an asterisk the rest; of two rules for a header the later one applies. */
export function netlifyHeaders(rules: readonly HeaderRule[], path: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const rule of rules) {
    const parts = rule.path.split('/').filter((part) => part !== '');
    const pattern = parts.map((part) => {
      if (part === '*') return '?.*';
      return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    });
    if (!new RegExp(`^/${pattern.join('/')}/?$`).test(path)) continue;
    for (const [name, value] of rule.headers) if (value !== undefined) found[name] = value;
  }
  return found;
}
