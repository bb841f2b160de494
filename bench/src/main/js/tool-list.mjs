// The tools of the search test data, repeated under different names.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const data = path.join(here, '../../../../search/src/test/resources/dev/fusebox/search/tools.tsv');
const rows = fs.readFileSync(data, 'utf8').trim().split('\n').map((line) => line.split('\t'));
const schema = { type: 'object', properties: { text: { type: 'string' } } };

// The given number of tools, of which the first is `echo`.
export function tools(many, first) {
  const all = [{ name: 'echo', description: 'Answers what it is given.', inputSchema: { type: 'object' } }];
  for (let i = first; all.length < many; i++) {
    const [group, name, description] = rows[i % rows.length];
    const round = Math.floor(i / rows.length);
    const words = round === 0 ? description : `${description} In ${group} number ${round}.`;
    all.push({ name: `${name.replaceAll(/\W/g, '_')}_${i}`, description: words, inputSchema: schema });
  }
  return all;
}
