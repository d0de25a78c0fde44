/** The names in a tar file so far: none comes twice, none is both a file and a folder, links lead to files before. */

export interface TarNames {
  /** What is wrong with a further name, or a link to a target; undefined when it was taken up. */
  readonly add: (name: string, target?: string) => string | undefined;
}

export function tarNames(): TarNames {
  const files = new Set<string>();
  const links = new Set<string>();
  const folders = new Set<string>();
  const isFile = (name: string) => files.has(name) || links.has(name);

  const problemOf = (name: string, target: string | undefined) => {
    if (isFile(name)) return `there is ${name} already`;
    if (folders.has(name)) return `${name} is a folder already`;
    if (target !== undefined && !files.has(target)) return `it is a link to ${target}, which is no file before it`;
    return undefined;
  };
  /** Where a folder is known, those above it are too. */
  const folderProblem = (name: string) => {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
      const folder = name.slice(0, at);
      if (folders.has(folder)) return undefined;
      if (isFile(folder)) return `${folder} is a file already`;
      folders.add(folder);
    }
    return undefined;
  };

  return {
    add: (name, target) => {
      const problem = problemOf(name, target) ?? folderProblem(name);
      if (problem === undefined) (target === undefined ? files : links).add(name);
      return problem;
    },
  };
}
