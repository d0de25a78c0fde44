/**
 * Routes a request like Vercel's documented Build Output API: by phases, and in order within a phase. Supports only the
 * features that gridpress uses.
 */

export interface RoutedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Values by lowercase name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface Routed {
  readonly status: number;
  /** Values by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path of the served file; undefined for a response without a body. */
  readonly file: string | undefined;
}

interface Condition {
  readonly type: string;
  readonly key: string;
  readonly value?: string;
}

export interface Route {
  readonly handle?: string;
  readonly src?: string;
  readonly dest?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly methods?: readonly string[];
  readonly has?: readonly Condition[];
  readonly missing?: readonly Condition[];
  readonly continue?: boolean;
}

interface State {
  path: string;
  status: number | undefined;
  readonly headers: Record<string, string>;
}

export function routeRequest(
  routes: readonly Route[],
  request: RoutedRequest,
  isFile: (path: string) => boolean,
): Routed {
  const phases = phasesOf(routes);
  const state: State = { path: request.path, status: undefined, headers: {} };
  runPhase(phases.get('') ?? [], request, state, () => true);
  if (state.headers['location'] !== undefined) return answer(state, undefined);
  if (state.status !== undefined) return answer(state, state.path);
  if (isFile(state.path)) {
    runPhase(phases.get('hit') ?? [], request, state, () => true);
    return answer({ ...state, status: 200 }, state.path);
  }
  state.status = 404;
  state.path = request.path;
  runPhase(phases.get('error') ?? [], request, state, ({ status }) => status === 404);
  return answer(state, state.path);
}

function phasesOf(routes: readonly Route[]): Map<string, Route[]> {
  const phases = new Map<string, Route[]>();
  let phase = '';
  for (const route of routes) {
    if (route.handle !== undefined) phase = route.handle;
    else phases.set(phase, [...(phases.get(phase) ?? []), route]);
  }
  return phases;
}

function runPhase(
  routes: readonly Route[],
  request: RoutedRequest,
  state: State,
  applies: (route: Route) => boolean,
): void {
  for (const route of routes) {
    const match = new RegExp(route.src ?? '').exec(state.path);
    if (!match || !applies(route) || !fits(route, request)) continue;
    const filled = (text: string) => text.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
    for (const [name, value] of Object.entries(route.headers ?? {})) state.headers[name.toLowerCase()] = filled(value);
    if (route.status !== undefined) state.status = route.status;
    if (route.dest !== undefined) state.path = filled(route.dest);
    if (route.continue !== true) return;
  }
}

function fits({ methods, has = [], missing = [] }: Route, request: RoutedRequest): boolean {
  if (methods && !methods.includes(request.method)) return false;
  const holds = ({ type, key, value }: Condition) => {
    const found = type === 'query' ? (request.query.get(key) ?? undefined) : request.headers[key];
    return found !== undefined && (value === undefined || new RegExp(`^(?:${value})$`).test(found));
  };
  return has.every(holds) && !missing.some(holds);
}

function answer({ status = 200, headers }: State, file: string | undefined): Routed {
  return { status, headers, file };
}
